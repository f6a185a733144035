import { createHmac, hash, hkdfSync, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../refusal.ts'
import {
  type AgeRecipient,
  type AgeSecret,
  decrypted,
  encryptedByPassphrase,
  identityIn,
  publicOf,
  spelledIdentity,
  spelledRecipient,
} from './age.ts'
import { writeWhole } from './durable-files.ts'

/** How a directory of backups is encrypted, as its `furrow-backups.json` says. */
export interface StoreForm {
  readonly format: 'furrow-backups-1'
  readonly encryption: 'none' | 'passphrase' | 'recipients'
  /** Those who can read, where there are such. */
  readonly recipients?: readonly string[]
}

export const formName = 'furrow-backups.json'
const keyName = 'key.age'

/** What the operator gives to write or to read. */
export interface GivenKeys {
  readonly recipients?: readonly AgeRecipient[]
  readonly passphrase?: string | undefined
  /** The text of an identity file of age. */
  readonly identity?: string | undefined
}

/** What a directory of backups is written and read with. */
export interface StoreKeys {
  /** None: nothing is encrypted. */
  readonly recipients: readonly AgeRecipient[]
  /** Null where it can be written but not read. */
  readonly secret: AgeSecret | null
  /** What the names of pieces are made with; null where pieces are named by what is in them. */
  readonly nameKey: Buffer | null
}

const plain: StoreKeys = { recipients: [], secret: null, nameKey: null }

/** The name of a piece: nobody who lacks the key can tell from it what is in the piece. */
export const nameOfContent = ({ nameKey }: StoreKeys, sha256: string): string =>
  nameKey === null ? sha256 : createHmac('sha256', nameKey).update(sha256).digest('hex')

export const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex')

export async function readForm(directory: string): Promise<StoreForm | null> {
  const text = await readFile(join(directory, formName), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    const form: StoreForm = JSON.parse(text)
    if (form.format === 'furrow-backups-1') return form
  } catch {
    // Told below.
  }
  throw new Refusal('invalid-content', `${join(directory, formName)} is damaged, or of a later release of Furrow.`)
}

/** The keys to write with. A directory goes on as it was begun; `farmKey` names pieces that only recipients can read. */
export async function keysToWrite(
  directory: string,
  { recipients = [], passphrase }: GivenKeys,
  farmKey: () => Promise<Buffer>,
): Promise<StoreKeys> {
  const spelled = recipients.map(spelledRecipient).sort()
  const encryption = passphrase !== undefined ? 'passphrase' : recipients.length > 0 ? 'recipients' : 'none'
  const form = await readForm(directory)
  if (form === null) await begin(directory, { encryption, recipients: spelled, passphrase })
  else if (form.encryption !== encryption) throw begunOtherwise(directory, form.encryption)
  else if (encryption === 'recipients' && String(form.recipients) !== String(spelled))
    throw new Refusal('conflict', `The backups in ${directory} are for other recipients. Choose another directory.`)
  if (encryption === 'none') return plain
  if (passphrase !== undefined) return keysByPassphrase(directory, passphrase)
  return { recipients, secret: null, nameKey: await farmKey() }
}

const begunOtherwise = (directory: string, encryption: StoreForm['encryption']): Refusal => {
  const how = { none: 'not encrypted', passphrase: 'encrypted with a passphrase', recipients: 'for recipients of age' }
  return new Refusal('conflict', `The backups in ${directory} are ${how[encryption]}. Go on so, or choose another one.`)
}

interface StoreBeginning {
  readonly encryption: StoreForm['encryption']
  readonly recipients: readonly string[]
  readonly passphrase: string | undefined
}

/** The key comes first: a directory that says it has one has it. */
async function begin(directory: string, { encryption, recipients, passphrase }: StoreBeginning): Promise<void> {
  if (passphrase !== undefined) {
    const identity = Buffer.from(`${spelledIdentity(randomBytes(32))}\n`)
    await writeWhole(join(directory, keyName), encryptedByPassphrase(identity, passphrase))
  }
  const form: StoreForm = { format: 'furrow-backups-1', encryption, ...(recipients.length > 0 && { recipients }) }
  await writeWhole(join(directory, formName), [Buffer.from(`${JSON.stringify(form, null, 2)}\n`)])
}

async function keysByPassphrase(directory: string, passphrase: string): Promise<StoreKeys> {
  async function* file() {
    yield await readFile(join(directory, keyName))
  }
  const parts: Uint8Array[] = []
  try {
    for await (const part of decrypted(file(), { passphrase })) parts.push(part)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal('forbidden', `This is not the passphrase of the backups in ${directory}.`)
  }
  const identity = identityIn(Buffer.concat(parts).toString('utf8'))
  const nameKey = Buffer.from(hkdfSync('sha256', identity, '', 'furrow backup names', 32))
  return { recipients: [publicOf(identity)], secret: { identity }, nameKey }
}

/** The keys to read with; without those that it takes, only what is there can be told, and not what is in it. */
export async function keysToRead(
  directory: string,
  given: GivenKeys,
): Promise<StoreKeys & { readonly canRead: boolean }> {
  const form = await readForm(directory)
  if (form === null) throw new Refusal('not-found', `${directory} is no directory of backups: it has no ${formName}.`)
  if (form.encryption === 'none') return { ...plain, canRead: true }
  if (form.encryption === 'passphrase' && given.passphrase !== undefined)
    return { ...(await keysByPassphrase(directory, given.passphrase)), canRead: true }
  if (form.encryption === 'recipients' && given.identity !== undefined)
    return { recipients: [], secret: { identity: identityIn(given.identity) }, nameKey: null, canRead: true }
  return { ...plain, canRead: false }
}
