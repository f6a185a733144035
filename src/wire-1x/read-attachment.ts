import { accepts, imagesOnly } from '../fields/attachment.ts'
import type { AttachmentField } from '../fields/field.ts'
import { type InputPlace, isTree, isUnfilled, shown, type Tree } from '../fields/place.ts'
import { uuidIn, wholeNumber } from '../fields/scalars.ts'
import type { FileDraft } from '../fields/value.ts'

const dataUri =
  /^data:([a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,127}(?:;[a-z0-9-]+=[^;,\s]{1,64})*);base64,/i

/**
 * A new file as a data URI, or one the farm has by its address; also as an object that holds either, or the id. What is no
 * empty template and names no file is a fault: whoever sends it means a file.
 */
export function readAttachment(field: AttachmentField, input: unknown, place: InputPlace): FileDraft | undefined {
  if (isTree(input)) return isUnfilled(input) ? undefined : readNamed(field, input, place)
  if (typeof input !== 'string') return place.fault(`must be a data URI, not ${shown(input)}`)
  return /^data:/i.test(input) ? newFile(field, input, place) : keptFile(namedInAddress(input, place), place)
}

/** The members that say which file is meant, the first that is filled in deciding. */
const fileMembers: readonly string[] = ['uuid', 'id', 'fid', 'file', 'data', 'uri', 'url', 'src']

function readNamed(field: AttachmentField, input: Tree, place: InputPlace): FileDraft | undefined {
  const name = fileMembers.find((one) => !isUnfilled(input[one]))
  if (name === undefined) return place.fault(`names no file: ${shown(input)}`, fileMembers)
  const named = input[name]
  const inside = place.inside(name)
  if (name === 'uuid') return fileUnder(input, place)
  if (name === 'id' || name === 'fid') return keptFile({ id: wholeNumber(named) }, inside)
  if (name === 'file' && isTree(named)) return readNamed(field, named, inside)
  const isMisplaced = name === 'data' && typeof named === 'string' && !/^data:/i.test(named)
  return typeof named === 'string' && !isMisplaced ? readAttachment(field, named, inside) : inside.fault(wrongForm)
}

function fileUnder({ uuid: named, id, fid }: Tree, place: InputPlace): FileDraft | undefined {
  const uuid = uuidIn(named)
  if (uuid === undefined) return place.inside('uuid').fault(`${shown(named)} is not a UUID`)
  const given = isUnfilled(id) ? fid : id
  if (isUnfilled(given)) return { file: 'uuid', uuid }
  const kept = keptFile({ id: wholeNumber(given) }, place.inside('id'))
  return kept?.file === 'kept' ? { file: 'uuid', uuid, id: kept.id } : undefined
}

interface FileName {
  readonly id: number | undefined
  readonly name?: string
}

/**
 * An address of this farm, with or without the host. The name must match too: after a restore, file 5 may be another
 * one.
 */
function namedInAddress(address: string, place: InputPlace): FileName {
  const [, host, id, name] = /^(https?:\/\/[^/\s]+)?\/(?:[^?#\s]*?\/)?file\/(\d{1,15})\/(.+)$/s.exec(address) ?? []
  const isOurs = host === undefined || place.address === undefined || host === place.address
  return id === undefined || name === undefined || !isOurs ? { id: undefined } : { id: Number(id), name }
}

function keptFile({ id, name }: FileName, place: InputPlace): FileDraft | undefined {
  if (id !== undefined && id > 0) return { file: 'kept', id, ...(name === undefined ? {} : { name }) }
  return place.fault(wrongForm)
}

const wrongForm = 'must be a data URI (data:<mime type>;base64,<content>) or the address of a file of this farm'

/** These checks run before the content is decoded, which can be large. */
function newFile(field: AttachmentField, uri: string, place: InputPlace): FileDraft | undefined {
  const mime = dataUri.exec(uri)
  if (mime?.[1] === undefined) return place.fault('must have the form data:<mime type>;base64,<content>')
  if (!accepts(field, mime[1])) return place.fault(imagesOnly(mime[1]), ['image/*'])
  const content = uri.slice(mime[0].length)
  const bytes = Buffer.from(content, 'base64')
  if (bytes.toString('base64') !== content) return place.fault('the base64 content is not well formed')
  return { file: 'new', mime: mime[1], bytes }
}
