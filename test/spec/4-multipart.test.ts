import { expect, it } from 'vitest'
import { prepareFirstRun } from '../../src/access/first-run.ts'
import { hiddenFields } from '../access/browser.ts'
import { families, person } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const setupPage = await farm.anonymous.get((await prepareFirstRun(farm.installation)) ?? '')
const { key = '' } = hiddenFields(setupPage.text)
const client = await farm.login()
const ada = await person(farm)

const parts = (fields: Readonly<Record<string, string>>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('images', new Blob(['\x89PNG'], { type: 'image/png' }), 'leek.png')
  return { body: form }
}

it.each([
  ['POST', '/log'],
  ['PUT', '/log/1'],
  ['POST', '/log/1.json'],
  ['POST', '/farm_asset'],
  ['PUT', '/farm_asset/1'],
  ['POST', '/taxonomy_term'],
  ['PUT', '/taxonomy_term/1'],
  ['POST', '/batch'],
])('4 %s %s takes no multipart body, and says how files are sent', async (method, path) => {
  const refused = await client.send(method, path, parts({ name: 'Leek', type: 'farm_activity', timestamp: '1' }))
  expect(refused, refused.text).toMatchObject({
    status: 415,
    body: { type: 'urn:furrow:refusal:unsupported-media-type' },
  })
  expect(refused.body.detail).toMatch(
    /^Multipart bodies \("multipart\/form-data"\) are not taken: send application\/json/,
  )
  expect(refused.body.detail).toContain('as a data URI such as "data:image/png;base64,')
})

it.each(families.flatMap((family) => ['token', 'revoke', 'introspect'].map((endpoint) => `${family}/${endpoint}`)))(
  '5 %s takes no multipart body, and says what it takes',
  async (path) => {
    const { name: username, password } = ada
    const refused = await farm.anonymous.send(
      'POST',
      path,
      parts({ grant_type: 'password', client_id: 'farm', username, password }),
    )
    expect(refused).toMatchObject({ status: 415, body: { error: 'invalid_request' } })
    expect(refused.body.error_description).toBe(
      'Multipart bodies ("multipart/form-data") are not taken: send application/x-www-form-urlencoded or application/json.',
    )
  },
)

it.each([
  '/user/login',
  '/setup',
  '/oauth/authorize',
  '/account/applications',
  '/account/sessions',
  '/account/password',
])('5 %s takes no multipart form', async (path) => {
  const headers = { cookie: ada.browser.cookie }
  const sent = { ...parts({ name: ada.name, pass: ada.password, key }), headers }
  const refused = await farm.anonymous.send('POST', path, sent)
  expect(refused.status).toBe(415)
  expect(refused.text).toContain('are not taken: send application/x-www-form-urlencoded or application/json.')
  expect(refused.headers.get('set-cookie')).toBeNull()
})
