/** Hears what the process prints, instead of the terminal, until the returned function is called. */
export function listening(hear: (words: string) => void): () => void {
  const streams = [process.stdout, process.stderr];
  const writers = streams.map((stream) => stream.write);
  const methods = ["log", "info", "warn", "error", "debug"] as const;
  const printers = methods.map((method) => console[method]);
  for (const stream of streams) {
    stream.write = (chunk: string | Uint8Array) => {
      hear(Buffer.from(chunk as Uint8Array).toString());
      return true;
    };
  }
  for (const method of methods) console[method] = (...words: unknown[]) => hear(words.map(String).join(" "));
  return () => {
    streams.forEach((stream, index) => {
      stream.write = writers[index] as typeof stream.write;
    });
    methods.forEach((method, index) => {
      console[method] = printers[index] as () => void;
    });
  };
}
