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
export const dollars = (micros: Micros): string => inHundredths(micros / PER_DOLLAR);

export const inHundredths = (value: number): string =>
  value > 0 && value < 0.005
    ? "<0.01"
    : value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
