import { join } from 'node:path'
import { expect, test } from 'vitest'
import { wallClock } from '../../src/clock.ts'
import { restoreFarm } from '../../src/records/moving/restore-farm.ts'
import { archiveAt } from '../../src/storage/backup/archive.ts'
import { backUp } from '../../src/storage/backup/back-up.ts'
import { administrator } from '../access/flow.ts'
import { emptyDirectory, emptyPlace, engineUnderTest } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { examinedAt } from '../operation/examined.ts'
import { moveTo, quiet } from '../operation/moves.ts'
import { Season, weight } from './season.ts'

test('a link outlives a backup and a restore, with its checksum, and the doctor finds nothing', async () => {
  const farm = await openFarm()
  const manager = await administrator(farm)
  await new Season(manager).harvest(Math.floor(Date.now() / 1000) - 60, { quantity: [weight('2', 'kg')] })
  const { body } = await manager.post('/administer/report-links.json', { report: 'harvest', query: 'from=2026-01-01' })
  const key = { key: body.link.split('#')[1] }
  const before = await farm.anonymous.post('/shared-report.json', key)
  expect(before.body).toMatchObject({ logs: 1, changed: 0, checksum: body.checksum })
  const archive = join(await emptyDirectory(), 'farm.tar.gz')
  await backUp(farm.installation.database, archive, { clock: wallClock, report: quiet })
  const place = await emptyPlace(engineUnderTest())
  await restoreFarm(archiveAt(archive), moveTo(place))
  expect(await examinedAt(place)).toEqual([])
  const restored = await openFarm({ place })
  expect((await restored.anonymous.post('/shared-report.json', key)).text).toBe(before.text)
})
