import { shown } from './place.ts'

const form = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** A UUID in lower case, as it is kept, whatever case it is written in; undefined for anything else. */
export function uuidIn(input: unknown): string | undefined {
  const uuid = typeof input === 'string' ? input.toLowerCase() : ''
  return form.test(uuid) ? uuid : undefined
}

/** Nil and max (RFC 9562, sections 5.9 and 5.10) stand for no thing. */
const nobodys = /^[0-]+$|^[f-]+$/

/** What is wrong with a UUID that somebody chose for something new. */
export function faultOfNewUuid(input: unknown): string | undefined {
  const uuid = uuidIn(input)
  if (uuid === undefined) return `must be a UUID such as "0192f0c4-6a3e-4d21-9b1f-5a2c3d4e5f60", not ${shown(input)}`
  return nobodys.test(uuid) ? `${uuid} stands for nothing; make a random one` : undefined
}
