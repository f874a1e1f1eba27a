/** A value that is waited for until a signal is aborted. What makes it goes on. */
export function unlessAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
