/** Sends hostile and generated requests, and compares the farm with a model: npm run fuzz -- --seconds 600 */
import { builtFile } from '../bench/build.mjs'
import { layGround } from './faults/writing.mjs'
import { sendToAll } from './fuzz/alike-run.mjs'
import { openFarm, principalsOf } from './fuzz/farm.mjs'
import { GeneratedRun } from './fuzz/generated-run.mjs'
import { Generation } from './fuzz/generation.mjs'
import { ModelRun } from './fuzz/model-run.mjs'
import { sendNamedInputs } from './fuzz/named-run.mjs'
import { numbersOf } from './fuzz/numbers.mjs'
import { turnsOf } from './fuzz/turns.mjs'
import { twinsOf } from './fuzz/twins.mjs'
import { Onlooker } from './fuzz/untouched.mjs'
import { Dice } from './ground/dice.mjs'
import { Postgres } from './ground/postgres.mjs'
import { campaign } from './ground/wishes.mjs'

/**
 * @typedef {import('./ground/wishes.mjs').Campaign} Campaign
 * @typedef {import('./fuzz/farm.mjs').Farm} Farm
 * @typedef {import('./fuzz/farm.mjs').PeopledFarm} PeopledFarm
 * @typedef {Record<string, string | number>} Figures
 */

const engines = ['sqlite', 'postgres']
const parts = ['model', 'named', 'alike', 'generated']

await campaign({ name: 'fuzz', seconds: 600, numbers: ['requests'], parts, engines }, async (about) => {
  const postgres = about.engines.includes('postgres') ? await Postgres.start() : null
  try {
    return await fuzz(about, (name, engine) => openFarm(about, { name, engine, postgres }))
  } finally {
    await postgres?.stop()
  }
})

/** @param {Campaign} about @param {(name: string, engine: string) => Promise<Farm>} open @returns {Promise<Figures>} */
async function fuzz(about, open) {
  const { wants, engines, tell } = about
  const turn = turnsOf(about)
  /** @type {Figures} */
  const figures = {}
  if (wants('model')) {
    for (const engine of engines)
      Object.assign(figures, await modelOn(about, await open('model', engine), turn('model')))
  }
  if (!['named', 'alike', 'generated'].some(wants)) return figures

  const farms = await Promise.all(engines.map(async (engine) => peopled(await open('fuzzed', engine))))
  const callers = twinsOf(farms, { findings: about.findings, afterWrite: await numbersOf(farms) })
  const [manager] = callers
  if (manager === undefined) throw new Error('There is no manager')
  if (wants('named')) {
    figures.named = await sendNamedInputs(about, manager)
    tell(`${figures.named} named inputs`)
  }
  /** @type {typeof import('../src/farm/stock-farm.ts')} */
  const { stockFarm } = await builtFile(about.dist, 'farm/stock-farm.js')
  const { body: description } = await manager.get('/openapi.json')
  const generation = new Generation(stockFarm, description.paths)
  if (wants('alike') && engines.length > 1) {
    figures.alike = await sendToAll(about, { generation, callers, goesOn: turn('alike') })
    tell(`${figures.alike} requests to all engines`)
  }
  if (wants('generated')) {
    for (const farm of farms)
      Object.assign(figures, await generatedOn(about, { farm, generation, goesOn: turn('generated') }))
  }
  for (const { engine, principals, close } of farms) {
    const answer = await principals[0]?.client.get('/farm.json')
    about.findings.check(answer?.status === 200, `in the end the manager on ${engine} is answered ${answer?.status}`)
    await close()
  }
  return figures
}

/** @param {Farm} farm @returns {Promise<PeopledFarm>} */
async function peopled(farm) {
  const principals = await principalsOf(farm)
  if (principals[0]) await layGround(principals[0].client)
  return { ...farm, principals }
}

/** The same random numbers for every engine. @param {Campaign} about */
function afresh(about) {
  return { ...about, dice: new Dice(about.seed) }
}

/** @param {Campaign} about @param {Farm} farm @param {() => boolean} goesOn @returns {Promise<Figures>} */
async function modelOn(about, { engine, caller, close }, goesOn) {
  const { client } = await caller({ name: 'manager', role: 'manager' })
  const run = new ModelRun(afresh(about), client)
  await run.begin()
  while (goesOn() && about.findings.count === 0) await run.step()
  await run.compareAll()
  await close()
  about.tell(`${run.operations} operations on a farm on ${engine} and on its model, ${run.comparisons} comparisons`)
  return { [`${engine} model operations`]: run.operations, [`${engine} comparisons`]: run.comparisons }
}

/** @param {Campaign} about @param {{ farm: PeopledFarm, generation: Generation, goesOn: () => boolean }} means @returns {Promise<Figures>} */
async function generatedOn(about, { farm, generation, goesOn }) {
  const { engine, principals } = farm
  const began = performance.now()
  const onlooker = new Onlooker(farm.beside, await farm.beside.columns())
  const run = new GeneratedRun(afresh(about), { generation, principals, onlooker, cpuSeconds: farm.cpuSeconds })
  await run.run(goesOn, about.number('requests', 1_000_000))
  const statuses = [...run.statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${status}×${count}`)
  about.tell(`${engine}: statuses ${statuses.join(' ')}`)
  const perSecond = Math.round((run.requests + run.raw) / ((performance.now() - began) / 1000))
  const figures = { generated: run.requests, raw: run.raw, 'per second': perSecond, 'slow at first': run.slow }
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${engine} ${name}`, value]))
}
