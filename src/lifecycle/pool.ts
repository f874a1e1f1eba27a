/**
 * Runs a task for each item, so many at a time. When one fails, no more are begun.
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
  let hasFailed = false;
  const worker = async () => {
    for (let next = left.next(); next.done !== true && !hasFailed && !isOver(); next = left.next())
      await task(next.value).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
