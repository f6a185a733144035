import { fileHeaders } from '../../src/client/requests.ts'
import { acknowledgePhoto } from '../store/acknowledge.ts'
import { amendPhoto, entriesOf, photoBytes } from '../store/outbox.ts'
import type { PhotoEntry, WaitingPhoto } from '../store/outbox-entry.ts'
import { typeOnTheWire } from '../store/record.ts'
import { type Failure, tellServer, usualPatience, verdictOn } from './request.ts'
import { pauseSending, problemOf, type SendContext, type SendStep, sendNext } from './send-outcome.ts'

/** Pixels: longer side of a stored photo; and of one that the server found too large. */
const photoSide = 1600
const smallPhotoSide = 1024

const quality = 0.8

/** False for formats that this browser cannot decode. */
export async function isReadable(file: Blob): Promise<boolean> {
  try {
    const picture = await createImageBitmap(file)
    picture.close()
    return true
  } catch {
    return false
  }
}

/** Downscaled, upright, and without Exif data. */
export async function smallPhoto(file: Blob, side = photoSide): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const share = Math.min(1, side / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * share))
  canvas.height = Math.max(1, Math.round(picture.height * share))
  const paper = canvas.getContext('2d')
  if (paper === null) throw new Error('This browser draws no pictures.')
  paper.imageSmoothingQuality = 'high'
  paper.fillStyle = '#fff'
  paper.fillRect(0, 0, canvas.width, canvas.height)
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return jpegOf(canvas)
}

function jpegOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (made) => (made === null ? reject(new Error('No picture was made.')) : resolve(made)),
      'image/jpeg',
      quality,
    )
  })
}

const mostFailures = 10

/** Milliseconds: allows for 4 kB per second. */
const patienceFor = (size: number) => usualPatience + size / 4

/** Sends one photo to its record. */
export async function sendPhoto(context: SendContext, photo: WaitingPhoto): Promise<SendStep> {
  const { database } = context
  const bytes = await photoBytes(database, photo.uuid)
  if (bytes === undefined) return sendNext
  await amendPhoto(database, photo.uuid, { state: 'frozen', tries: photo.tries + 1 })
  const answer = await tellServer<{ version: string }>(pathOf(photo), {
    method: 'POST',
    headers: fileHeaders(bytes, photo.name),
    body: bytes,
    patience: patienceFor(photo.size),
  })
  if (answer.failure !== null) return refused(context, photo, answer)
  await acknowledgePhoto(database, photo.uuid, {
    changeSet: answer.headers.get('change-set'),
    amended: (await entriesOf(database)).flatMap((entry) => {
      const goesOn = entry.record === photo.record && entry.tag === versionBefore(answer.body.version)
      return goesOn ? [[entry.n, { tag: answer.body.version }] as const] : []
    }),
  })
  return sendNext
}

const pathOf = ({ type, record, field, uuid }: WaitingPhoto) =>
  `/${typeOnTheWire[type]}/${record}/${field}?uuid=${uuid}`

/** A photo is a revision of its record: the version before it is still the one the user read. */
function versionBefore(version: string): string {
  const [revision, edition] = version.split('.')
  return `${Number(revision) - 1}.${edition}`
}

async function refused(context: SendContext, photo: WaitingPhoto, answer: Failure): Promise<SendStep> {
  const verdict = verdictOn(answer)
  if (verdict === 'again') return pauseSending(answer)
  if (verdict === 'log-in' || verdict === 'no-right') return { kind: 'rest', why: verdict }
  if (verdict === 'failed' && photo.failures + 1 < mostFailures) {
    await amendPhoto(context.database, photo.uuid, { failures: photo.failures + 1 })
    return pauseSending(answer)
  }
  const isFirst = photo.problem?.status !== 413
  const again = verdict === 'too-large' && isFirst ? await smaller(context, photo) : {}
  const problem = problemOf(answer)
  await amendPhoto(context.database, photo.uuid, { state: 'needs-you', ...again, problem })
  return sendNext
}

/** Downscales once. Files that are not pictures, or are small, stay as they are. */
async function smaller({ database }: SendContext, photo: WaitingPhoto): Promise<Partial<PhotoEntry>> {
  const bytes = await photoBytes(database, photo.uuid)
  if (bytes === undefined || photo.field !== 'images') return {}
  const small = await smallPhoto(bytes, smallPhotoSide).catch(() => bytes)
  return { bytes: small, size: small.size, state: 'waiting' }
}
