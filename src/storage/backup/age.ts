import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  randomBytes,
  scryptSync,
  timingSafeEqual,
} from 'node:crypto'
import { Refusal } from '../../refusal.ts'

/**
 * The age format, version 1 (age-encryption.org/v1): X25519 recipients and passphrases. What is written here is read by the program
 * `age` too.
 */
const intro = 'age-encryption.org/v1'
const chunkBytes = 64 * 1024
const tagBytes = 16

/** Who can read: a public key `age1…`, as its 32 bytes. */
export type AgeRecipient = Buffer

/** What opens a file: a secret key, as its 32 bytes, or a passphrase. */
export type AgeSecret = { readonly identity: Buffer } | { readonly passphrase: string }

/** Encrypts what comes, for each of the recipients. */
export async function* encrypted(
  bytes: AsyncIterable<Uint8Array>,
  recipients: readonly AgeRecipient[],
): AsyncGenerator<Uint8Array> {
  const fileKey = randomBytes(16)
  yield headerOf(
    fileKey,
    recipients.map((recipient) => stanzaFor(recipient, fileKey)),
  )
  yield* sealedPayload(fileKey, bytes)
}

/** Encrypts a few bytes with a passphrase. */
export async function* encryptedByPassphrase(bytes: Uint8Array, passphrase: string): AsyncGenerator<Uint8Array> {
  const fileKey = randomBytes(16)
  const salt = randomBytes(16)
  const key = passphraseKey(passphrase, salt, usualWork)
  yield headerOf(fileKey, [`-> scrypt ${base64(salt)} ${usualWork}\n${base64(sealed(key, fileKey))}\n`])
  yield* sealedPayload(fileKey, oneAfterAnother([bytes]))
}

async function* oneAfterAnother(all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all
}

/** The base-two logarithm of the work of scrypt: a second or less; more than 22 is refused, as a trap. */
const usualWork = 16
const mostWork = 22

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

const derived = (key: Uint8Array, salt: Uint8Array, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, 32))

function headerOf(fileKey: Buffer, stanzas: readonly string[]): Buffer {
  const text = `${intro}\n${stanzas.join('')}---`
  return Buffer.from(`${text} ${base64(macOf(fileKey, text))}\n`)
}

const macOf = (fileKey: Buffer, text: string): Buffer =>
  createHmac('sha256', derived(fileKey, Buffer.alloc(0), 'header'))
    .update(text, 'latin1')
    .digest()

function stanzaFor(recipient: AgeRecipient, fileKey: Buffer): string {
  const secret = randomBytes(32)
  const share = publicOf(secret)
  const key = derived(shared(secret, recipient), Buffer.concat([share, recipient]), `${intro}/X25519`)
  return `-> X25519 ${base64(share)}\n${base64(sealed(key, fileKey))}\n`
}

const pkcs8 = Buffer.from('302e020100300506032b656e04220420', 'hex')
const spki = Buffer.from('302a300506032b656e032100', 'hex')

const privateKey = (secret: Buffer) =>
  createPrivateKey({ key: Buffer.concat([pkcs8, secret]), format: 'der', type: 'pkcs8' })

export const publicOf = (secret: Buffer): AgeRecipient =>
  createPublicKey(privateKey(secret)).export({ format: 'der', type: 'spki' }).subarray(spki.length)

const shared = (secret: Buffer, recipient: Buffer): Buffer =>
  diffieHellman({
    privateKey: privateKey(secret),
    publicKey: createPublicKey({ key: Buffer.concat([spki, recipient]), format: 'der', type: 'spki' }),
  })

const passphraseKey = (passphrase: string, salt: Buffer, work: number): Buffer =>
  scryptSync(passphrase, Buffer.concat([Buffer.from(`${intro}/scrypt`), salt]), 32, {
    N: 2 ** work,
    r: 8,
    p: 1,
    maxmem: 2 ** work * 1024 + 1024 ** 2,
  })

function sealed(key: Buffer, bytes: Uint8Array, nonce: Uint8Array = Buffer.alloc(12)): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

function opened(key: Buffer, bytes: Buffer, nonce: Uint8Array = Buffer.alloc(12)): Buffer | null {
  if (bytes.length < tagBytes) return null
  const cipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
  cipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([cipher.update(bytes.subarray(0, -tagBytes)), cipher.final()])
  } catch {
    return null
  }
}

/** The nonce of a chunk: its number, and whether it is the last. */
function nonceOf(number: number, place: 'last' | 'before'): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = place === 'last' ? 1 : 0
  return nonce
}

async function* sealedPayload(fileKey: Buffer, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const nonce = randomBytes(16)
  const key = derived(fileKey, nonce, 'payload')
  yield nonce
  let number = 0
  for await (const { chunk, place } of chunksOf(bytes, chunkBytes)) yield sealed(key, chunk, nonceOf(number++, place))
}

/** In stretches of one length; the last, which may be shorter, is told as such. */
async function* chunksOf(
  bytes: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<{ readonly chunk: Buffer; readonly place: 'last' | 'before' }> {
  let left: Buffer = Buffer.alloc(0)
  for await (const more of bytes) {
    left = left.length === 0 ? Buffer.from(more) : Buffer.concat([left, more])
    let at = 0
    for (; left.length - at > length; at += length) yield { chunk: left.subarray(at, at + length), place: 'before' }
    left = left.subarray(at)
  }
  yield { chunk: left, place: 'last' }
}

const cannotBeOpened = (why: string): Refusal => new Refusal('invalid-content', `it cannot be decrypted: ${why}`)

/** Decrypts what comes; throws at the first chunk that is not as it was written. */
export async function* decrypted(bytes: AsyncIterable<Uint8Array>, secret: AgeSecret): AsyncGenerator<Uint8Array> {
  const { fileKey, rest } = await afterHeader(bytes, secret)
  let key: Buffer | undefined
  let number = 0
  async function* payload() {
    let start: Buffer = Buffer.alloc(0)
    for await (const chunk of rest) {
      if (key !== undefined) yield chunk
      else {
        start = Buffer.concat([start, chunk])
        if (start.length < 16) continue
        key = derived(fileKey, start.subarray(0, 16), 'payload')
        yield start.subarray(16)
      }
    }
  }
  for await (const { chunk, place } of chunksOf(payload(), chunkBytes + tagBytes)) {
    const plain = key === undefined ? null : opened(key, chunk, nonceOf(number++, place))
    if (plain === null) throw cannotBeOpened('it was cut short or changed')
    yield plain
  }
}

const mostHeaderBytes = 16 * 1024

async function afterHeader(
  bytes: AsyncIterable<Uint8Array>,
  secret: AgeSecret,
): Promise<{ readonly fileKey: Buffer; readonly rest: AsyncIterable<Uint8Array> }> {
  const chunks = bytes[Symbol.asyncIterator]()
  let start: Buffer = Buffer.alloc(0)
  let header: RegExpExecArray | null = null
  while (header === null) {
    const { done, value } = await chunks.next()
    if (done || start.length > mostHeaderBytes) throw cannotBeOpened('it is no file of age')
    start = Buffer.concat([start, value])
    header = /^(age-encryption\.org\/v1\n[\s\S]*?\n---) ([A-Za-z0-9+/]{43})\n/.exec(start.toString('latin1'))
  }
  const [whole, text = '', mac = ''] = header
  const fileKey = [...text.matchAll(/^-> ([^\n]+)\n([A-Za-z0-9+/]+)\n/gm)]
    .map(([, args = '', body = '']) => fileKeyIn(args.split(' '), Buffer.from(body, 'base64'), secret))
    .find((found) => found !== null)
  if (!fileKey) throw cannotBeOpened('this is not its key or passphrase')
  if (!timingSafeEqual(macOf(fileKey, text), Buffer.from(mac, 'base64'))) throw cannotBeOpened('its header was changed')
  async function* rest() {
    yield start.subarray(whole.length)
    for (;;) {
      const { done, value } = await chunks.next()
      if (done) return
      yield value
    }
  }
  return { fileKey, rest: rest() }
}

function fileKeyIn([kind, ...args]: readonly string[], body: Buffer, secret: AgeSecret): Buffer | null {
  if (kind === 'X25519' && 'identity' in secret) {
    const share = Buffer.from(args[0] ?? '', 'base64')
    if (share.length !== 32) return null
    const salt = Buffer.concat([share, publicOf(secret.identity)])
    return opened(derived(shared(secret.identity, share), salt, `${intro}/X25519`), body)
  }
  if (kind !== 'scrypt' || !('passphrase' in secret)) return null
  const work = Number(args[1])
  if (!(work >= 1 && work <= mostWork)) return null
  return opened(passphraseKey(secret.passphrase, Buffer.from(args[0] ?? '', 'base64'), work), body)
}

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
