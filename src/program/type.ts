/** Whether `value` is a resource of that type, even one that another copy of this package made. */
export const isResource = (value: unknown, type: string): boolean =>
  typeof value === "object" && value !== null && Reflect.get(value, "__pulumiType") === type;
