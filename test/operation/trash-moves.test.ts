import { expect, test } from 'vitest'
import { restoreFarm } from '../../src/records/moving/restore-farm.ts'
import { archiveAt } from '../../src/storage/backup/archive.ts'
import { emptyPlace, engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { png } from '../records/sample-files.ts'
import { examinedAt } from './examined.ts'
import { backedUp, exported, importInto, moveTo } from './moves.ts'

const moves = engines.flatMap((from) =>
  engines.flatMap((to) => ['backup', 'export'].map((way) => [way, from, to] as const)),
)

test.each(rounds({ short: moves.filter(([way, from, to]) => (way === 'backup') === (from === to)), long: moves }))(
  'by %s from %s to %s the trash comes along: a removed log is brought back there with its photo',
  async (way, from, to) => {
    const place = await emptyPlace(from)
    const farm = await openFarm({ place })
    const client = await farm.login()
    const body = { name: 'Removed', type: 'farm_activity', timestamp: '1', quantity: [{ value: '1' }] }
    const id = await client.create('log', { ...body, images: [png('moved')] })
    await client.delete(`/log/${id}`)
    const [before] = (await client.read('/trash.json')).list
    await farm.close()
    const target = await emptyPlace(to)
    if (way === 'backup') await restoreFarm(archiveAt(await backedUp(place)), moveTo(target))
    else await importInto(target, await exported(place))
    expect(await examinedAt(target)).toEqual([])
    const there = await openFarm({ place: target })
    const again = await there.login()
    const [entry] = (await again.read('/trash.json')).list
    const elsewhere = JSON.parse(JSON.stringify(before).replaceAll(farm.base, there.base))
    expect(entry).toEqual(elsewhere)
    expect((await again.send('POST', `/trash/${entry.uuid}/restore`)).status).toBe(200)
    expect((await again.read(`/log/${id}.json`)).images).toEqual([png('moved')])
    expect(Number(await again.create('log', body))).toBeGreaterThan(Number(id))
    expect(await examinedAt(target)).toEqual([])
  },
)
