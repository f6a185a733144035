import { trimmedTextKey } from '../fields/key.ts'
import { unprintable } from '../fields/text.ts'
import { Refusal } from '../refusal.ts'

export const nameLength = 60
const mailLength = 254

/** A login accepts a name or a mail address. */
export const loginNameLength = Math.max(nameLength, mailLength)

/** A user name as stored: NFC, trimmed. */
export function canonicalName(given: string): string {
  const name = given.normalize('NFC').trim()
  const length = [...name].length
  if (length < 1 || length > nameLength) {
    throw new Refusal('invalid-content', `A user name has 1 to ${nameLength} characters; this one has ${length}.`)
  }
  if (/[\p{Cc}\p{Cf}\p{Cs}:]/u.test(name)) {
    throw new Refusal('invalid-content', 'A user name holds no colon, no control and no invisible characters.')
  }
  return name
}

export function canonicalMail(given: string): string {
  const mail = given.normalize('NFC').trim()
  if (mail === '') return ''
  if (mail.length > mailLength || !/^[^\s@]+@[^\s@]+$/.test(mail) || unprintable.test(mail)) {
    throw new Refusal('invalid-content', `"${mail.slice(0, mailLength)}" is not a mail address.`)
  }
  return mail
}

/** Names with the same key are the same account: case, composition and outer white space do not matter. */
export const nameKey = trimmedTextKey
