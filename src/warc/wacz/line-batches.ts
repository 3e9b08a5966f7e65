/** A line longer than this is neither an index entry nor a page, even with the page's full text: 64 MiB. */
const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * The lines of a UTF-8 stream, without their ends, batched by chunk: an archive has millions of them, and a
 * promise for each would cost more than parsing it.
 */
export async function* lineBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new Error(`a line is longer than ${LONGEST_LINE} characters`);
    if (lines.length > 0) yield lines.map(withoutReturn);
  }
  rest += decoder.decode();
  if (rest !== '') yield [withoutReturn(rest)];
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Joins lines into chunks of about 64 KiB, each line terminated. */
export async function* lineChunks(
  batches: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
): AsyncGenerator<Uint8Array> {
  let held: string[] = [];
  let length = 0;
  for await (const batch of batches) {
    for (const line of batch) {
      held.push(line);
      length += line.length;
    }
    if (length >= 64 * 1024) {
      yield Buffer.from(`${held.join('\n')}\n`, 'utf8');
      held = [];
      length = 0;
    }
  }
  if (held.length > 0) yield Buffer.from(`${held.join('\n')}\n`, 'utf8');
}
