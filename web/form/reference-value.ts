import { assetBy, termBy } from '../store/local-copy.ts'
import type { KeptRecord } from '../store/record.ts'
import { say } from './say.ts'

/** To a record that has a number, to one that was not sent yet, or to a plain term that is still to be made. */
export interface Reference {
  readonly id?: string
  readonly uuid?: string
  readonly name?: string
}

export function referenceTo({ id, uuid }: Pick<KeptRecord, 'id' | 'uuid'>): Reference {
  return id === uuid ? { uuid } : { id }
}

export function sameReference(one: Reference, other: Reference): boolean {
  if (one.id !== undefined || other.id !== undefined) return one.id === other.id
  if (one.uuid !== undefined || other.uuid !== undefined) return one.uuid === other.uuid
  return one.name === other.name
}

export function wordsOf({ id, uuid, name }: Reference, type: 'asset' | 'term'): string {
  const key = id ?? uuid ?? ''
  const record = type === 'asset' ? assetBy(key) : termBy(key)
  return record?.name ?? name ?? say('form.number', { id: key })
}
