const signatures: readonly { readonly type: string; readonly starts: string }[] = [
  { type: 'image/png', starts: '89504e470d0a1a0a' },
  { type: 'image/jpeg', starts: 'ffd8ff' },
  { type: 'image/gif', starts: '474946383961' },
  { type: 'image/gif', starts: '474946383761' },
]

/** The type that the bytes themselves show, if it is one that no browser runs; undefined for all else. */
export function harmlessTypeOf(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, 8)).toString('hex')
  return signatures.find(({ starts }) => beginning.startsWith(starts))?.type
}
