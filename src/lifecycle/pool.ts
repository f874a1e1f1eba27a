/**
 * Runs a task for each item, so many at a time. A task takes care of its own failures.
 *
 * @param isOver asked before each task: once it says so, no more are begun
 */
export async function forEach<Item>(
  items: Iterable<Item>,
  atOnce: number,
  task: (item: Item) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = left.next(); next.done !== true && !isOver(); next = left.next()) await task(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
