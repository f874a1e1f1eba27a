/** An object with those of its keys alone that are meant. */
export const filterKeys = <T extends object>(values: T, isMeant: (name: string) => boolean): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isMeant(name))) as Partial<T>;
