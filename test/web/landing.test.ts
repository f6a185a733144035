import { describe, expect, test } from 'vitest'
import { person, stranger } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const plain = await openFarm({ settings: { app: false } })
const html = { accept: 'text/html' }

describe('after a login', () => {
  test('without a destination the app opens; where there is none, the account', async () => {
    for (const [at, place] of [
      [farm, '/app/'],
      [plain, '/account'],
    ] as const) {
      const ada = await stranger(at)
      const answer = await ada.browser.logIn(ada.name, ada.password)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, at.base + place])
      expect((await ada.browser.get('/user/login', html)).headers.get('location')).toBe(at.base + place)
    }
  })

  test('with a destination that opens, also one of the app', async () => {
    const ada = await stranger(farm)
    const fields = { name: ada.name, pass: ada.password, destination: '/app/area/12?at=2026-05-03' }
    const answer = await ada.browser.post('/user/login', fields)
    expect(answer.headers.get('location')).toBe(`${farm.base}/app/area/12?at=2026-05-03`)
  })
})

describe('the first page', () => {
  test('leads whoever is logged in to the app, and others to the login', async () => {
    const ada = await person(farm)
    const answer = await ada.browser.get('/', html)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${farm.base}/app/`])
    const visitor = await farm.anonymous.get('/', html)
    expect([visitor.status, visitor.headers.get('location')]).toEqual([302, `${farm.base}/user/login`])
  })

  test('without the app leads to the account', async () => {
    const page = await (await person(plain)).browser.get('/', html)
    expect(page.status).toBe(200)
    expect(page.text).toContain('href="/account"')
  })
})

test('the account page logs out through the app, which forgets what it keeps; without one at once', async () => {
  const [withApp, without] = [await person(farm), await person(plain)]
  expect((await withApp.browser.get('/account')).text).toContain('href="/app/log-out"')
  const page = (await without.browser.get('/account')).text
  expect(page).toContain('href="/user/logout"')
  expect(page).not.toContain('/app/')
})
