import { inMebibytes } from './byte-size.ts'
import type { AttachmentField } from './field.ts'
import { pixelsOf } from './image-size.ts'
import { valueLimits } from './limits.ts'
import { isTree, isUnfilled, type Place, shown, type Tree } from './place.ts'
import { wholeNumber } from './time.ts'
import type { FileDraft } from './value.ts'

export const attachments = (label: string, accepts: AttachmentField['accepts']): AttachmentField => ({
  kind: 'attachment',
  label,
  many: true,
  accepts,
})

export const accepts = (field: AttachmentField, mime: string): boolean =>
  field.accepts === 'any' || /^image\//i.test(mime)

export const imagesOnly = (mime: string): string => `takes images only, not ${mime}; put it under files`

const dataUri =
  /^data:([a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,127}(?:;[a-z0-9-]+=[^;,\s]{1,64})*);base64,/i

/**
 * A new file as a data URI, or one the farm has by its address; also as an object that holds either, or the id. What is no
 * empty template and names no file is a fault: whoever sends it means a file.
 */
export function takeAttachment(field: AttachmentField, input: unknown, place: Place): FileDraft | undefined {
  if (isTree(input)) return isUnfilled(input) ? undefined : takeNamed(field, input, place)
  if (typeof input !== 'string') return place.fault(`must be a data URI, not ${shown(input)}`)
  return /^data:/i.test(input) ? newFile(field, input, place) : keptFile(namedInAddress(input), place)
}

/** The members that say which file is meant, the first that is filled in deciding. */
const naming: readonly string[] = ['id', 'fid', 'file', 'data', 'uri', 'url', 'src']

function takeNamed(field: AttachmentField, input: Tree, place: Place): FileDraft | undefined {
  const name = naming.find((one) => !isUnfilled(input[one]))
  if (name === undefined) return place.fault(`names no file: ${shown(input)}`, naming)
  const named = input[name]
  const inside = place.inside(name)
  if (name === 'id' || name === 'fid') return keptFile({ id: wholeNumber(named) }, inside)
  if (name === 'file' && isTree(named)) return takeNamed(field, named, inside)
  if (name === 'data' && !/^data:/i.test(String(named))) return inside.fault(wrongForm)
  return typeof named === 'string' ? takeAttachment(field, named, inside) : inside.fault(wrongForm)
}

interface Named {
  readonly id: number | undefined
  readonly name?: string
}

/** The host is not looked at: a farm can have several. The name is, so that another farm's file 5 is not taken for ours. */
function namedInAddress(address: string): Named {
  const [, id, name] = /^(?:https?:\/\/[^/\s]+)?\/(?:[^?#\s]*\/)?file\/(\d{1,15})\/([^/?#\s]+)$/.exec(address) ?? []
  return id === undefined || name === undefined ? { id: undefined } : { id: Number(id), name }
}

function keptFile({ id, name }: Named, place: Place): FileDraft | undefined {
  if (id !== undefined && id > 0) return { file: 'kept', id, ...(name === undefined ? {} : { name }) }
  return place.fault(wrongForm)
}

const wrongForm = 'must be a data URI (data:<mime type>;base64,<content>) or the address of a file of this farm'

const tooLarge = `is larger than ${inMebibytes(valueLimits.fileBytes)}`
const tooManyPixels = `the image has more than ${valueLimits.imagePixels / 1_000_000} million pixels`

function newFile(field: AttachmentField, uri: string, place: Place): FileDraft | undefined {
  const mime = dataUri.exec(uri)
  if (mime?.[1] === undefined) return place.fault('must have the form data:<mime type>;base64,<content>')
  if (!accepts(field, mime[1])) return place.fault(imagesOnly(mime[1]), ['image/*'])
  const content = uri.slice(mime[0].length)
  if (content.length > Math.ceil(valueLimits.fileBytes / 3) * 4) return place.fault(tooLarge)
  const bytes = Buffer.from(content, 'base64')
  if (bytes.toString('base64') !== content) return place.fault('the base64 content is not well formed')
  if (bytes.length > valueLimits.fileBytes) return place.fault(tooLarge)
  if (pixelsOf(bytes) > valueLimits.imagePixels) return place.fault(tooManyPixels)
  return { file: 'new', mime: mime[1], bytes }
}
