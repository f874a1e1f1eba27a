import type { Part } from "./processTree.mts";
import type { Measurement } from "./results.mts";

type Figure = "seconds" | "peakBytes" | "togetherBytes" | "requests" | "stateBytes" | `${Part}Seconds`;

/** The medians of a run's rounds. What was not measured is NaN. */
export class Summary {
  readonly measurements: readonly Measurement[];

  constructor(measurements: readonly Measurement[]) {
    this.measurements = measurements;
  }

  /** @param column may name its service, as `manager:ProxyPorts`; by default that is the simulator */
  figure(figure: Figure, column: string, size: number, step: string): number {
    return median(this.#rounds(column, size, step).map((measurement) => figureOf(measurement, figure)));
  }

  seconds(column: string, size: number, step: string): number {
    return this.figure("seconds", column, size, step);
  }

  rounds(column: string, size: number): number {
    return new Set(this.#of(column, size).map(({ round }) => round)).size;
  }

  /** The most of a figure in all steps. */
  most(figure: Figure, column: string, size: number): number {
    const steps = [...new Set(this.#of(column, size).map(({ step }) => step))];
    const figures = steps
      .map((step) => this.figure(figure, column, size, step))
      .filter((value) => !Number.isNaN(value));
    return figures.length === 0 ? Number.NaN : Math.max(...figures);
  }

  sizes(column: string): number[] {
    const [service, name] = parts(column);
    const own = this.measurements.filter((each) => each.service === service && each.column === name);
    return [...new Set(own.map(({ size }) => size))].toSorted((one, other) => one - other);
  }

  #of(column: string, size: number): Measurement[] {
    const [service, name] = parts(column);
    return this.measurements.filter((each) => each.service === service && each.column === name && each.size === size);
  }

  #rounds(column: string, size: number, step: string): Measurement[] {
    return this.#of(column, size).filter((each) => each.step === step);
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

function parts(column: string): [service: string, column: string] {
  const [service = "", name] = column.split(":");
  return name === undefined ? ["simulator", service] : [service, name];
}

function figureOf({ cpu, ...measurement }: Measurement, figure: Figure): number {
  switch (figure) {
    case "engineSeconds":
      return cpu?.engine ?? Number.NaN;
    case "programSeconds":
      return cpu?.program ?? Number.NaN;
    case "providerSeconds":
      return cpu?.provider ?? Number.NaN;
    default:
      return measurement[figure] ?? Number.NaN;
  }
}
