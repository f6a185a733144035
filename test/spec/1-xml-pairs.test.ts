import { expect, test } from 'vitest'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { interfaceFarm } from '../records/interface-types.ts'
import { openXmlReader } from '../xml/dom-tree.ts'
import { Hits } from '../xml/hits.ts'
import { comparePairs } from '../xml/pairs.ts'
import { plantFarm } from '../xml/planted-farm.ts'

const pairs = Number(process.env.XML_PAIRS ?? rounds({ short: 120, long: 1000 }))
const seed = Number(process.env.XML_SEED ?? 20_260_401)

test(
  '1.2: what is written in one format reads back the same in the other, and is refused alike',
  async () => {
    const farm = await openFarm()
    farm.setClock(1_760_000_000)
    const client = await farm.login('worker')
    const hits = new Hits(interfaceFarm(farm.installation.farm))
    const ground = await plantFarm(farm, client)
    const started = performance.now()
    const tell = (done: number) => {
      if (done % 2000 === 0) console.log(`${done} pairs`)
    }
    await comparePairs({ client, reader: await openXmlReader(), ground, hits, tell }, { pairs, seed })
    const seconds = Math.round((performance.now() - started) / 1000)
    console.log(`${pairs} pairs of seed ${seed} without a difference in ${seconds} s\n${hits.report()}`)
    expect(hits.missed).toEqual([])
  },
  Math.max(120_000, pairs * 200),
)
