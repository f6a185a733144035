/** The POSIX ustar format, as much of it as archives of plain files with short names need. */
export const blockBytes = 512

const fields = { name: [0, 100], size: [124, 12], sum: [148, 8] } as const

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`

export function tarHeader(name: string, size: number, modified: number): Buffer {
  const block = Buffer.alloc(blockBytes)
  block.write(name, fields.name[0], fields.name[1], 'latin1')
  block.write(octal(0o600, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(size, 11), fields.size[0])
  block.write(octal(modified, 11), 136)
  block.write('0', 156)
  block.write('ustar\x0000', 257, 'latin1')
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, fields.sum[0])
  return block
}

/** The sum of the header's bytes, with those of the sum itself taken for spaces. */
function sumOf(block: Uint8Array): number {
  const [start, length] = fields.sum
  let sum = 0
  for (const [at, byte] of block.entries()) sum += at >= start && at < start + length ? 0x20 : byte
  return sum
}

/** Null for the block of zeros that ends an archive. Throws on anything else that is no header. */
export function readTarHeader(block: Buffer): { readonly name: string; readonly size: number } | null {
  if (block.every((byte) => byte === 0)) return null
  const text = ([start, length]: readonly [number, number]) =>
    block.toString('latin1', start, start + length).replace(/[\0 ].*$/s, '')
  if (Number.parseInt(text(fields.sum), 8) !== sumOf(block)) throw new Error('A tar header does not match its sum')
  return { name: text(fields.name), size: Number.parseInt(text(fields.size), 8) }
}

export const paddingAfter = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes

export const tarEnd = (): Buffer => Buffer.alloc(2 * blockBytes)
