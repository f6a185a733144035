import { execFileSync } from 'node:child_process'
import { answerOf } from './driving.mjs'
import { bodyOf } from './farm.mjs'
import { startProgram } from './farms.mjs'
import { accountName, accountPassword } from './planting.mjs'

const paths = { term: '/taxonomy_term', asset: '/farm_asset', log: '/log' }
const batchSize = 100

/**
 * Lets a program fill its own farm: its tables are its own, only the interface must be the same.
 * @param {import('./farms.mjs').Program} program
 * @param {string} data
 * @param {import('./farm.mjs').Plan} plan
 */
export async function fill(program, data, plan) {
  const words = ['user', 'add', accountName, '--role', 'manager', '--password-stdin', '--data', data]
  execFileSync(process.execPath, [program.main, ...words], {
    input: accountPassword,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const target = await startProgram(program, { name: 'filling', data })
  try {
    for (const records of [plan.terms(), plan.assets(), plan.logs()]) {
      for (const some of batchesOf(records)) {
        const operations = some.map((one) => ({ method: 'POST', path: paths[one.type], body: bodyOf(one) }))
        const body = JSON.stringify({ operations })
        const answer = await answerOf(target, { method: 'POST', path: '/batch', status: 200, body })
        if (answer.status !== 200) throw new Error(`${program.main} takes no batch: ${answer.body.slice(0, 500)}`)
      }
    }
  } finally {
    await target.running.stop()
  }
}

/** @param {Iterable<import('./farm.mjs').Planned>} records */
function* batchesOf(records) {
  const all = [...records]
  for (let from = 0; from < all.length; from += batchSize) yield all.slice(from, from + batchSize)
}
