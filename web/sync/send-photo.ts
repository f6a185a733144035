import { amendPhoto } from '../store/amend.ts'
import type { PhotoEntry, PhotoWaiting } from '../store/entry.ts'
import { entriesOf, photoBytes } from '../store/outbox.ts'
import { typeOnTheWire } from '../store/row.ts'
import { settlePhoto } from '../store/settle.ts'
import { type Failure, usualPatience } from './ask.ts'
import { next, type Outgoing, pause, problemOf, type Step } from './outgoing.ts'
import { smallPhoto, smallPhotoSide } from './photo.ts'
import { tell } from './tell.ts'
import { verdictOn } from './verdict.ts'

const mostFailures = 10

/** A line of 4 kB a second is a bad one, but it is a line. */
const patienceFor = (size: number) => usualPatience + size / 4

/** One photo, added to what its record has. */
export async function sendPhoto(outgoing: Outgoing, photo: PhotoWaiting): Promise<Step> {
  const { database } = outgoing
  const bytes = await photoBytes(database, photo.uuid)
  if (bytes === undefined) return next
  await amendPhoto(database, photo.uuid, { state: 'frozen', tries: photo.tries + 1 })
  const answer = await tell<{ version: string }>(pathOf(photo), {
    method: 'POST',
    headers: { 'content-type': bytes.type || 'application/octet-stream', 'content-disposition': named(photo.name) },
    body: bytes,
    patience: patienceFor(photo.size),
  })
  if (answer.failure !== null) return refused(outgoing, photo, answer)
  await settlePhoto(database, photo.uuid, {
    changeSet: answer.headers.get('change-set'),
    amended: (await entriesOf(database)).flatMap((entry) => {
      const goesOn = entry.record === photo.record && entry.tag === versionBefore(answer.body.version)
      return goesOn ? [[entry.n, { tag: answer.body.version }] as const] : []
    }),
  })
  return next
}

/** Headers are in Latin letters only; names of files are not (RFC 8187). */
export const named = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`

const pathOf = ({ type, record, field, uuid }: PhotoWaiting) =>
  `/${typeOnTheWire[type]}/${record}/${field}?uuid=${uuid}`

/** A photo is a revision of its record: what was read before it is still what somebody has read. */
function versionBefore(version: string): string {
  const [revision, edition] = version.split('.')
  return `${Number(revision) - 1}.${edition}`
}

async function refused(outgoing: Outgoing, photo: PhotoWaiting, answer: Failure): Promise<Step> {
  const verdict = verdictOn(answer)
  if (verdict === 'again' || verdict === 'new-token') return pause(answer)
  if (verdict === 'log-in' || verdict === 'no-right') return { kind: 'rest', why: verdict }
  if (verdict === 'failed' && photo.failures + 1 < mostFailures) {
    await amendPhoto(outgoing.database, photo.uuid, { failures: photo.failures + 1 })
    return pause(answer)
  }
  const isFirst = photo.problem?.status !== 413
  const again = verdict === 'too-large' && isFirst ? await smaller(outgoing, photo) : {}
  const problem = problemOf(answer)
  await amendPhoto(outgoing.database, photo.uuid, { state: 'needs-you', ...again, problem })
  return next
}

/** Once. A file that is no picture, or one that is small already, stays as it is. */
async function smaller({ database }: Outgoing, photo: PhotoWaiting): Promise<Partial<PhotoEntry>> {
  const bytes = await photoBytes(database, photo.uuid)
  if (bytes === undefined || photo.field !== 'images') return {}
  const small = await smallPhoto(bytes, smallPhotoSide).catch(() => bytes)
  return { bytes: small, size: small.size, state: 'waiting' }
}
