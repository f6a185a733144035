import { Refusal } from '../../refusal.ts'
import type { AgeRecipient } from './age.ts'

/** Bech32 (BIP 173), as age spells its keys. */
const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

function checksumOf(prefix: string, values: readonly number[]): number {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0))
  const all = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...values]
  let sum = 1
  for (const value of all) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of generators.entries()) if ((top >> bit) & 1) sum ^= generator
  }
  return sum >>> 0
}

function regrouped(values: Iterable<number>, from: number, to: number): { groups: number[]; left: number } {
  let [held, bits] = [0, 0]
  const groups: number[] = []
  for (const value of values) {
    held = (held << from) | value
    bits += from
    while (bits >= to) {
      bits -= to
      groups.push((held >> bits) & (2 ** to - 1))
    }
    held &= 2 ** bits - 1
  }
  return { groups, left: bits === 0 ? 0 : (held << (to - bits)) & (2 ** to - 1) }
}

/** The 32 bytes behind a prefix, or null where it is misspelt. */
function keyIn(prefix: string, text: string): Buffer | null {
  const spelled = text.toLowerCase()
  if (!spelled.startsWith(`${prefix}1`) || (text !== spelled && text !== text.toUpperCase())) return null
  const values = [...spelled.slice(prefix.length + 1)].map((letter) => letters.indexOf(letter))
  if (values.includes(-1) || checksumOf(prefix, values) !== 1) return null
  const { groups, left } = regrouped(values.slice(0, -6), 5, 8)
  return groups.length === 32 && left === 0 ? Buffer.from(groups) : null
}

function spelledKey(prefix: string, bytes: Uint8Array): string {
  const { groups, left } = regrouped(bytes, 8, 5)
  const values = [...groups, left]
  const sum = checksumOf(prefix, [...values, 0, 0, 0, 0, 0, 0]) ^ 1
  const check = [25, 20, 15, 10, 5, 0].map((shift) => (sum >>> shift) & 31)
  return `${prefix}1${[...values, ...check].map((value) => letters[value]).join('')}`
}

export const recipientIn = (text: string): AgeRecipient | null => keyIn('age', text)

export const spelledRecipient = (recipient: AgeRecipient): string => spelledKey('age', recipient)

export const spelledIdentity = (secret: Uint8Array): string => spelledKey('age-secret-key-', secret).toUpperCase()

/** The secret key in a file that `age-keygen` has written. */
export function identityIn(text: string): Buffer {
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'))
  const [key] = lines.flatMap((line) => keyIn('age-secret-key-', line.trim()) ?? [])
  if (key !== undefined) return key
  throw new Refusal('invalid-content', 'This file has no line AGE-SECRET-KEY-1…, as age-keygen writes it.')
}
