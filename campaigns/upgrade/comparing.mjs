import { Client, tokenOf } from '../ground/client.mjs'
import { answersOf } from './earlier-farm.mjs'

/** @typedef {import('../ground/wishes.mjs').Campaign} Campaign */

/**
 * Reads some copied logs: each must match the answer of the earlier version for its original.
 * @param {Campaign} campaign
 * @param {{ port: number, version: number, copies: readonly import('./earlier-farm.mjs').Copy[], samples: number }} asked
 */
export async function compareCopies({ dice, findings }, { port, version, copies, samples }) {
  const logs = (await answersOf(version))['/log.json?files=link&limit=1000'] ?? []
  const client = new Client(port, await tokenOf(port, 'ada', 'user_access', 'green fields 42'))
  for (let n = 0; n < samples; n += 1) {
    const copy = copies[Math.floor(dice.roll() * copies.length)]
    if (copy === undefined) break
    const { id, of } = copy
    const url = `https://farm.example/log/${id}`
    const expected = JSON.stringify({ ...logs.find((log) => log.id === String(of)), id: String(id), url })
    const { text } = await client.send('GET', `/log/${id}.json?files=link`)
    findings.check(text === expected, () => `log ${id} should be ${expected}, and is ${text}`)
  }
  client.close()
}
