/**
 * US dollars as whole millionths: sums of them are exact, whatever their order. The service's own figures, such as 0.6772, have fewer
 * places.
 */
export type Micros = number;

export const PER_DOLLAR = 1_000_000;

export const microsOf = (dollars: number): Micros => Math.round(dollars * PER_DOLLAR);

/** Exact, as a decimal number with two to six places. */
export function decimal(micros: Micros): string {
  const digits = String(Math.abs(micros)).padStart(7, "0");
  const places = digits.slice(-6).replace(/0{1,4}$/, "");
  return `${micros < 0 ? "-" : ""}${digits.slice(0, -6)}.${places}`;
}

/** For people: to the cent. What is less than one is not nothing. */
export function dollars(micros: Micros): string {
  if (micros > 0 && micros < PER_DOLLAR / 200) return "<0.01";
  return (micros / PER_DOLLAR).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
