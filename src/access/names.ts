import { trimmedTextKey } from '../fields/key.ts'
import { unprintable } from '../fields/text.ts'
import { Refusal } from '../refusal.ts'

export const nameLength = 60
const mailLength = 254

/** Who logs in gives a name or a mail address. */
export const loginNameLength = Math.max(nameLength, mailLength)

/** A user name as it is kept: composed (NFC), without white space around it. */
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

/** Two names with the same key are the same account: neither case, nor composition, nor outer white space tells them apart. */
export const nameKey = trimmedTextKey
