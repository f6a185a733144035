import { isDeepStrictEqual } from 'node:util'

const ids = (/** @type {any} */ list) => [list ?? []].flat().map((one) => String(one?.id ?? one))
const names = (/** @type {any} */ list) => [list ?? []].flat().map((one) => one?.name)

/** Compares sent and shown values by field. @type {Record<string, (shown: any, sent: any) => boolean>} */
const fields = {
  type: (shown, sent) => shown === sent,
  vocabulary: () => true,
  name: (shown, sent) => shown === sent,
  timestamp: (shown, sent) => shown === String(sent),
  done: (shown, sent) => shown === String(sent),
  archived: (shown, sent) => shown === String(sent),
  notes: (shown, sent) => shown?.value === sent,
  description: (shown, sent) => (shown?.value ?? shown) === sent,
  flags: isDeepStrictEqual,
  images: isDeepStrictEqual,
  files: isDeepStrictEqual,
  asset: (shown, sent) => isDeepStrictEqual(ids(shown), ids(sent)),
  area: (shown, sent) => isDeepStrictEqual(ids(shown), ids(sent)),
  log_category: (shown, sent) => isDeepStrictEqual(names(shown), names(sent)),
  animal_type: (shown, sent) => isDeepStrictEqual(names(shown), names(sent)),
  movement: (shown, sent) => isDeepStrictEqual(ids(shown?.area), ids(sent.area)),
  membership: (shown, sent) => isDeepStrictEqual(ids(shown?.group), ids(sent.group)),
  inventory: (shown, sent) =>
    isDeepStrictEqual(
      shown?.map((/** @type {any} */ one) => [String(one.asset?.id), one.value]),
      sent.map((/** @type {any} */ one) => [String(one.asset.id), one.value]),
    ),
  quantity: (shown, sent) =>
    isDeepStrictEqual(
      shown?.map((/** @type {any} */ one) => [one.measure, one.value, one.unit?.name, one.label]),
      sent.map((/** @type {any} */ one) => [one.measure, one.value, one.unit.name, one.label]),
    ),
}

/**
 * True if the record shows everything that was sent.
 * @param {Record<string, any>} record
 * @param {Record<string, any>} body
 */
export function showsWhole(record, body) {
  return Object.entries(body).every(([name, sent]) => {
    const shows = fields[name]
    if (shows === undefined) throw new Error(`Nobody has said how ${name} reads back`)
    return shows(record[name], sent)
  })
}
