/** Small files as the interface takes them. */
export const dataUri = (mime: string, bytes: Uint8Array | string): string =>
  `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`

/** The head of a PNG that claims this size; no more of it is ever looked at. */
export function pngBytes(width: number, height: number, tail = ''): Buffer {
  const head = Buffer.alloc(24)
  head.write('89504e470d0a1a0a0000000d49484452', 'hex')
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return Buffer.concat([head, Buffer.from(tail)])
}

export const png = (tail = ''): string => dataUri('image/png', pngBytes(1, 1, tail))

export const textFile = (content: string): string => dataUri('text/plain', content)
