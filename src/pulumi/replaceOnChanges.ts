import { keysOf } from "../lifecycle/paths";

/**
 * Whether the resource option `replaceOnChanges` names a path that has changed, or something above or below it: lists change as
 * one, so that `ips[0]` names a change of `ips`.
 *
 * @param option property paths as Pulumi writes them: `plan.country`, `plan["country"]`, `ips[0]`, `plan.*`, `*`
 */
export function matches(option: unknown, path: string): boolean {
  if (!Array.isArray(option)) return false;
  const changed = keysOf(path);
  return option
    .map((named) => segmentsOf(String(named)))
    .some((named) => {
      const common = Math.min(named.length, changed.length);
      return common > 0 && named.slice(0, common).every((key, depth) => key === "*" || key === changed[depth]);
    });
}

const segmentsOf = (path: string): string[] =>
  [...path.matchAll(/\["([^"]*)"\]|[^.[\]]+/g)].map(([key, quoted]) => quoted ?? key);
