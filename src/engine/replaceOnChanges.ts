/**
 * Whether a changed path stands under one of those that the resource option `replaceOnChanges` names, in the notation of
 * Pulumi's property paths: `plan.country`, `plan["country"]`, `ports[0]`, `*`.
 */
export function matches(option: unknown, path: string): boolean {
  if (!Array.isArray(option)) return false;
  return option.map(String).some((named) => {
    const wanted = named.replace(/\[(?:"([^"]*)"|([^\]]*))\]/g, (_, quoted, bare) => `.${quoted ?? bare}`);
    return wanted === "*" || wanted === path || path.startsWith(`${wanted}.`) || wanted.startsWith(`${path}.`);
  });
}
