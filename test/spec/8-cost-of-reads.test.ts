import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

let farm: FarmUnderTest
let client: Client

/** Each is nearly contained everywhere, so that every place of a note has to be compared to its end. */
const nearly = Array.from({ length: 90 }, (_, nth) => `${'a'.repeat(24)}b${nth}`)

beforeAll(async () => {
  farm = await openFarm({ settings: { readSeconds: 0.04 } })
  client = await farm.login()
  const operations = Array.from({ length: 30 }, (_, nth) => ({
    method: 'POST',
    path: '/log',
    body: { name: `L${nth}`, type: 'farm_activity', timestamp: '1', notes: 'a'.repeat(60_000) },
  }))
  for (let batch = 0; batch < 16; batch++) expect((await client.post('/batch', { operations })).status).toBe(200)
})

const costly = `/log.json?${nearly.map((value) => `notes[ct]=${value}`).join('&')}`

describe('8 the cost of a read', () => {
  it('refuses a list that would take too long, and says how to ask for less', async () => {
    const { status, body } = await client.get(costly)
    expect([status, body.type]).toEqual([400, expect.stringContaining('too-costly')])
    expect(body.detail).toMatch(/more than 0\.04 seconds of processor time.*timestamp\[ge\].*\/log\.csv/)
    expect((await client.get('/log.json?notes[ct]=aab&limit=1')).status).toBeLessThan(500)
  })

  it('refuses it likewise under /api', async () => {
    const conditions = nearly.slice(0, 30).map((value, nth) => {
      const own = `filter[c${nth}][condition]`
      return `${own}[path]=notes.value&${own}[operator]=CONTAINS&${own}[value]=${value}&${own}[memberOf]=g`
    })
    const { status, body } = await client.get(
      `/api/log/activity?filter[g][group][conjunction]=OR&${conditions.join('&')}`,
    )
    expect([status, body.errors[0].status]).toEqual([400, '400'])
    expect(body.errors[0].detail).toContain('processor time')
  })

  it('answers others meanwhile', async () => {
    let isOver = false
    const long = client.get(`${costly}&limit=2`).then(() => {
      isOver = true
    })
    let answered = 0
    while (!isOver) {
      expect((await client.get('/log/1.json')).status).toBe(200)
      answered += 1
    }
    await long
    expect(answered).toBeGreaterThan(1)
  })

  it('counts all parts of /subrequests together', async () => {
    const parts = Array.from({ length: 200 }, (_, nth) => ({
      requestId: `r${nth}`,
      action: 'view',
      uri: `/api/log/activity?page[limit]=1&filter[n][condition][path]=name&filter[n][condition][operator]=CONTAINS&filter[n][condition][value]=L${nth % 30}`,
    }))
    const { status, body } = await client.post('/subrequests?_format=json', parts)
    const statuses = Object.values<Json>(body).map((part) => part.headers.status[0])
    expect(status).toBe(207)
    expect(statuses[0]).toBe(200)
    expect(statuses.at(-1)).toBe(400)
    expect(body.r199.body).toContain('processor time')
  })

  it('gives no 5xx and leaves no bug in the log when the caller goes', async () => {
    const leaving = new AbortController()
    const gone = client.send('GET', `${costly}&limit=3`, { signal: leaving.signal }).catch(() => 'gone')
    await sleep(60)
    leaving.abort()
    expect(await gone).toBe('gone')
    expect((await client.get('/log/1.json')).status).toBe(200)
    expect(farm.lines.filter((line) => /"bug"|"status":5/.test(line))).toEqual([])
  })

  it('has no limit for sheets', async () => {
    const answer = await client.get('/log.csv?notes[ct]=aab')
    expect(answer.status).toBe(200)
  })
})
