import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sweep } from '../../src/access/sweeping.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { reports } from '../../src/words/en/reports.ts'
import { administrator } from '../access/flow.ts'
import type { Answer, Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { of, Season, weight } from './season.ts'

const second = (iso: string): number => Date.parse(iso) / 1000
const now = second('2026-06-16T10:00:00+02:00')
const day = 86_400
const links = '/administer/report-links.json'

describe('a link to a report', () => {
  let farm: FarmUnderTest
  let manager: Client
  let recorder = ''
  const harvests: string[] = []

  const make = async (wanted: object = {}): Promise<Json> => {
    const answer = await manager.post(links, { report: 'harvest', query: 'from=2026-01-01&to=2026-06-30', ...wanted })
    expect(answer, answer.text).toMatchObject({ status: 201 })
    return answer.body
  }
  const keyOf = ({ link }: Json): string => link.split('#')[1]
  const open = (key: string): Promise<Answer> => farm.anonymous.post('/shared-report.json', { key })
  const shown = async (made: Json): Promise<Json> => {
    const answer = await open(keyOf(made))
    expect(answer, answer.text).toMatchObject({ status: 200 })
    return answer.body
  }

  beforeAll(async () => {
    farm = await openFarm()
    farm.setClock(now)
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Europe/Berlin'))
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'name', 'Hill Farm'))
    manager = await administrator(farm)
    recorder = manager.login.name
    const season = new Season(manager)
    const north = await season.area('North', 'POLYGON ((8 50, 8.001 50, 8.001 50.001, 8 50.001, 8 50))')
    const carrots = await season.planting('Early carrots', 'Carrots')
    for (const [days, value, unit] of [
      [3, '33.5', 'kg'],
      [2, '12', 'lb'],
      [1, '7', 'kg'],
    ] as const)
      harvests.push(
        await season.harvest(now - days * day, {
          name: `Picked ${value}`,
          asset: of(carrots),
          area: of(north),
          quantity: [weight(value, unit)],
        }),
      )
  })

  /** A session of an earlier test may be over, by the clock of that test. */
  beforeEach(async () => {
    farm.setClock(now)
    manager = await administrator(farm)
  })

  it('shows the report as it was, with the logs behind it and a checksum of that, and nobody’s name', async () => {
    const made = await make()
    expect(made.link).toMatch(new RegExp(`^${farm.base}/shared-report#[\\w-]{43}$`))
    const answer = await open(keyOf(made))
    const { document, checksum, changed, logs } = answer.body
    expect({ changed, logs }).toEqual({ changed: 0, logs: 3 })
    expect(document).toMatchObject({ farm: 'Hill Farm', made: now })
    expect(document.report.lines).toMatchObject([
      { amounts: [{ value: '45.943', unit: 'kg', joined: [{}, { unit: 'lb', value: '12', counted: '5.443' }] }] },
    ])
    expect(document.report.places).toMatchObject([{ name: 'North', named: true }])
    expect(document.rows).toEqual([
      { day: '2026-06-13', name: 'Picked 33.5', amounts: ['33.5 kg'], places: ['North'] },
      { day: '2026-06-14', name: 'Picked 12', amounts: ['12 lb'], places: ['North'] },
      { day: '2026-06-15', name: 'Picked 7', amounts: ['7 kg'], places: ['North'] },
    ])
    const kept = answer.text.slice(answer.text.indexOf(',"document":') + ',"document":'.length, -1)
    expect(createHash('sha256').update(kept).digest('hex')).toBe(checksum)
    expect(checksum).toBe(made.checksum)
    expect(kept).not.toContain(recorder)
    expect(kept).not.toContain(farm.base)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('names people only where that was ticked', async () => {
    const { document } = await shown(await make({ people: true }))
    expect(document.rows[0].people).toEqual([recorder])
  })

  it('says how many of its logs have changed since, or are gone, and stays what it was', async () => {
    const made = await make()
    const before = await shown(made)
    await manager.put(`/log/${harvests[0]}`, { quantity: [weight('30', 'kg')] })
    await manager.delete(`/log/${harvests[1]}`)
    const after = await shown(made)
    expect(after).toEqual({ ...before, changed: 2 })
    expect((await shown(await make())).document.report.logs.count).toBe(2)
  })

  it('opens nothing when it was ended, when its time is over, and under a key that never was, in the same words', async () => {
    const [ended, over] = [await make(), await make({ days: 1 })]
    const { body } = await manager.get(links)
    expect(body.list.find(({ id }: Json) => id === over.id)).toMatchObject({
      report: 'harvest',
      from: '2026-01-01',
      to: '2026-06-30',
      people: false,
      ends: String(now + day),
      made_by: manager.login.name,
    })
    expect(JSON.stringify(body)).not.toContain(keyOf(ended))
    expect((await manager.delete(`/administer/report-links/${ended.id}`)).status).toBe(204)
    expect((await manager.delete(`/administer/report-links/${ended.id}`)).status).toBe(404)
    farm.setClock(now + day)
    const answers = [await open(keyOf(ended)), await open(keyOf(over)), await open('x'.repeat(43)), await open('')]
    const told = (answer: Answer) => ({ ...answer.body, instance: undefined, request: undefined })
    for (const answer of answers) {
      expect(answer.status).toBe(404)
      expect(told(answer)).toEqual(told(answers[0] as Answer))
    }
    manager = await administrator(farm)
    const left = (await manager.get(links)).body.list.map(({ id }: Json) => id)
    expect(left).not.toContain(over.id)
  })

  it('is swept away when its time is over, and lasts 30 days unless said otherwise, at most a year', async () => {
    const made = await make()
    expect(Number(made.ends) - Number(made.made)).toBe(30 * day)
    for (const wrong of [{ days: 367 }, { days: 0 }, { days: 1.5 }, { report: 'eggs' }, { people: 'yes' }, { key: 1 }])
      expect((await manager.post(links, { report: 'harvest', ...wrong })).status).toBe(422)
    expect((await manager.post(links, { report: 'harvest', query: 'sort=name' })).status).toBe(400)
    const year = await make({ days: 366 })
    farm.setClock(now + 31 * day)
    await sweep(farm.installation)
    const rows = await farm.installation.database.read((snapshot) =>
      snapshot.selectFrom('report_link').select('id').execute(),
    )
    expect(rows.map(({ id }) => id)).toEqual([year.id])
  })

  it('is told in the language of the farm, with the words for the page', async () => {
    const key = keyOf(await make())
    expect((await open(key)).body.words).toBeUndefined()
    const asked = await farm.anonymous.post('/shared-report.json?language=de', { key })
    expect(asked.body.words).toMatchObject({ language: 'de', direction: 'ltr' })
    expect(asked.body.words.texts.slice(0, 2)).toEqual(['Berichte', 'Ernte'])
    expect(asked.body.words.texts).toHaveLength(Object.keys(reports).length)
  })

  it('is not for those who may not administer the farm, and a cookie of somebody changes nothing', async () => {
    const worker = await farm.login('worker')
    for (const answer of [await worker.get(links), await worker.post(links, { report: 'harvest' })])
      expect(answer.status).toBe(403)
    const key = keyOf(await make())
    const anyone = { 'content-type': 'application/json', cookie: 'furrow_session=of-another-farm; SESS=1' }
    const answer = await farm.anonymous.send('POST', '/shared-report.json', {
      headers: { ...anyone, origin: 'https://elsewhere.example' },
      body: JSON.stringify({ key }),
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('can show what was put on, and the history of a field', async () => {
    const { list } = await manager.read('/taxonomy_term.json?name=North')
    const history = await shown(await make({ report: 'field-history', query: `area=${list[0].id}&from=2026-01-01` }))
    expect(history.document.report).toMatchObject({ report: 'field-history', places: [{ name: 'North' }] })
    expect((await shown(await make({ report: 'inputs' }))).document.rows).toEqual([])
  })
})
