import { createHash } from 'node:crypto'

/** Of our own, for the words of catalogues. */
const namespace = Buffer.from('6f1b1a3e0d5c4e0f9a7bb5c1d2e3f405', 'hex')

/** The UUID (version 5, RFC 9562) of a word of the catalogue, which is the same on every farm: `log_type--log_type`, `harvest`. */
export function configUuid(type: string, id: string): string {
  const bytes = createHash('sha1').update(namespace).update(`${type}.${id}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
