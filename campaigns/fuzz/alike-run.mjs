import { isUnspeakable } from './generated-run.mjs'

/**
 * @typedef {import('../ground/wishes.mjs').Campaign} Campaign
 * @typedef {import('./generation.mjs').Asked} Asked
 * @typedef {import('./twins.mjs').Twins} Twins
 */

/** Minimum number of requests, however short the time or slow the machine. */
const least = 200
const mostPutOff = 300

/**
 * Sends generated requests to farms on every engine, and returns how many.
 * @param {Campaign} campaign
 * @param {{ generation: import('./generation.mjs').Generation, callers: readonly Twins[], goesOn: () => boolean }} means
 */
export async function sendToAll({ dice, findings }, { generation, callers, goesOn }) {
  const own = dice.apart()
  let sent = 0
  const send = async (/** @type {Twins} */ caller, /** @type {Asked} */ { method, path, ...sending }) => {
    sent += 1
    try {
      await caller.send(method, path, { ...sending, timeout: 30_000 })
    } catch (error) {
      if (isUnspeakable(error)) return
      findings.check(
        /EPIPE|ECONNRESET|broke off/.test(String(error)),
        `${method} ${path.slice(0, 200)} broke: ${error}`,
      )
    }
  }
  /** @type {{ caller: Twins, asked: Asked }[]} */
  const putOff = []
  while ((goesOn() || sent < least) && findings.count < 20) {
    // Mostly callers with rights: refused requests exercise little code.
    const caller = own.pick(own.happens(0.8) ? callers.slice(0, 2) : callers)
    const asked = generation.next(own)
    if (asksForTheMoment(asked)) continue
    if (!mayBeDoneInPart(asked)) await send(caller, asked)
    else if (putOff.length < mostPutOff) putOff.push({ caller, asked })
  }
  for (const { caller, asked } of putOff) if (findings.count < 20) await send(caller.withoutNumbers(), asked)
  return sent
}

/** A record written at the end of a second may have another time on each farm. */
const asksForTheMoment = (/** @type {Asked} */ { path }) => /created|changed/.test(path)

/** After a rolled back part, PostgreSQL has other ids than SQLite in the same batch. */
const mayBeDoneInPart = (/** @type {Asked} */ { body }) => body?.includes('"atomic":false') ?? false
