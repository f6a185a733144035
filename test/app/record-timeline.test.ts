import './english-words.ts'
import { describe, expect, it } from 'vitest'
import { timelineOf } from '../../web/screens/record/asset-logs.ts'
import { seriesOf } from '../../web/screens/record/measure-series.ts'
import { chartParts, roundValues } from '../../web/screens/record/measures.tsx'
import type { LocalRecord, LocalStay } from '../../web/store/record.ts'
import { visitsAtOnce, visitsInTurn } from '../../web/store/visits.ts'

const day = 86_400
const log = (id: number, at: number, fields: Record<string, unknown>): LocalRecord => ({
  uuid: `uuid-${id}`,
  type: 'log',
  id: String(id),
  bundle: 'farm_activity',
  name: `Log ${id}`,
  version: '1.x',
  fields: { timestamp: String(at), done: '1', ...fields },
})
const about = (...ids: string[]) => ({ asset: ids.map((id) => ({ id })) })
const stay = (asset: string, place: string, [from, until]: readonly [number, number | null], by = '9'): LocalStay => ({
  asset,
  place,
  placeType: 'area',
  log: by,
  from,
  until,
})

describe('the timeline of an asset', () => {
  const memberships = [stay('117', 'dry', [0, 10 * day]), stay('117', 'milkers', [10 * day, null])]
  const found = (...logs: LocalRecord[]) =>
    timelineOf('117', logs, memberships).map(({ log: { id }, groups }) => [id, ...groups])

  it('has its own logs and those of the groups that it was in at that time, the newest first', () => {
    expect(
      found(
        log(1, 5 * day, about('dry')),
        log(2, 5 * day, about('milkers')),
        log(3, 12 * day, about('milkers')),
        log(4, 12 * day, about('dry')),
        log(5, 20 * day, about('117', 'milkers')),
        log(6, 30 * day, about('117')),
        log(7, 31 * day, about('118')),
      ),
    ).toEqual([['6'], ['5', 'milkers'], ['3', 'milkers'], ['1', 'dry']])
  })

  it('lists each log once, the higher number first within a second', () => {
    const twice = log(8, 40 * day, about('117', 'milkers'))
    expect(found(twice, log(9, 40 * day, about('117')), twice)).toEqual([['9'], ['8', 'milkers']])
  })

  it('includes the second of joining, and excludes that of leaving', () => {
    expect(found(log(1, 10 * day, about('dry')), log(2, 10 * day, about('milkers')))).toEqual([['2', 'milkers']])
  })
})

describe('what was measured again and again', () => {
  const weight = (value: string, unit = 'kg') => ({
    quantity: [{ measure: 'weight', value, unit: { id: '1', name: unit } }],
  })

  it('is grouped by measure and unit, the earliest first, as recorded', () => {
    const logs = [
      log(3, 3 * day, { ...about('117'), ...weight('648.50') }),
      log(1, day, { ...about('117'), ...weight('598') }),
      log(2, 2 * day, { ...about('117'), ...weight('1300', 'lb') }),
    ]
    expect(seriesOf('117', logs)).toMatchObject([
      { measure: 'weight', unit: 'kg', points: [{ text: '598' }, { text: '648.50' }] },
    ])
  })

  it('leaves out sums of several animals, plans, and values that are no number', () => {
    const logs = [
      log(1, day, { ...about('117'), ...weight('598') }),
      log(2, 2 * day, { ...about('117', '118'), ...weight('1200') }),
      log(3, 3 * day, { ...about('117'), ...weight('650'), done: '0' }),
      log(4, 4 * day, { ...about('117'), quantity: [{ measure: 'weight', unit: { id: '1', name: 'kg' } }] }),
    ]
    expect(seriesOf('117', logs)).toEqual([])
  })
})

describe('the line of a measure', () => {
  it.each([
    [
      [598, 648],
      [600, 620, 640],
    ],
    [
      [0, 1],
      [0, 0.5, 1],
    ],
    [
      [12.1, 12.4],
      [12.1, 12.2, 12.3, 12.4],
    ],
    [
      [-5, 5],
      [-5, 0, 5],
    ],
    [[5, 5], [5]],
  ])('from %j has lines at round values', ([low, high], lines) =>
    expect(roundValues(low as number, high as number)).toEqual(lines),
  )

  it('keeps all points inside, the first left and the last right', () => {
    const { points } = chartParts(
      [
        { at: 0, value: 3 },
        { at: day, value: 1 },
        { at: 4 * day, value: 9 },
      ],
      { width: 108, height: 58, inset: 4 },
    )
    expect(points.map(({ x, y }) => [x, Math.round(y)])).toEqual([
      [4, 42],
      [29, 54],
      [104, 4],
    ])
  })
})

describe('who was in an area', () => {
  const record = (id: string, bundle: string): [string, LocalRecord] => [
    id,
    { uuid: id, type: 'asset', id, bundle, name: id, version: '', fields: {} },
  ]
  const assets = new Map([
    record('milkers', 'group'),
    record('117', 'animal'),
    record('118', 'animal'),
    record('bull', 'animal'),
  ])
  const groupsOf = (asset: string, at: number) => (asset === 'bull' || (asset === '118' && at < 5) ? [] : ['milkers'])

  it('is grouped by herd, with the members present', () => {
    const stays = ['milkers', '117', '118', 'bull'].map((id) => stay(id, 'north', [8, null]))
    expect(visitsAtOnce(stays, { assets, groupsOf })).toEqual([
      { asset: 'milkers', members: ['117', '118'], from: 8, until: null, log: '9' },
      { asset: 'bull', members: [], from: 8, until: null, log: '9' },
    ])
  })

  it('is listed by visit, the latest first, with the groups of that time', () => {
    const stays = [
      stay('117', 'north', [2, 4], '1'),
      stay('118', 'north', [2, 4], '1'),
      stay('117', 'north', [6, null], '2'),
      stay('118', 'north', [6, null], '2'),
    ]
    expect(visitsInTurn(stays, { assets, groupsOf })).toMatchObject([
      { asset: 'milkers', members: ['117', '118'], from: 6 },
      { asset: 'milkers', members: ['117'], from: 2 },
      { asset: '118', members: [], from: 2 },
    ])
  })
})
