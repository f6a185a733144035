import { describe, expect, test } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const viewer = await farm.login('viewer')

test('the catalogue comes in another language by ?language=, and by nothing else', async () => {
  const own = await viewer.read('/catalogue.json')
  expect(own.types.log.farm_harvest).toMatchObject({ label: 'Harvest', plural: 'Harvests' })
  const german = await viewer.read('/catalogue.json?language=de')
  expect(german.types.log.farm_harvest).toMatchObject({ label: 'Ernte', plural: 'Ernten' })
  expect(german.types.log.farm_harvest.fields.lot_number.label).toBe('Charge')
  expect(german.types.log.farm_birth.fields.asset.label).toBe('Junge')
  expect(german.types.log.farm_activity.fields.movement.fields.area.label).toBe('Fläche')
  expect(german.lists.area_types).toContainEqual({ value: 'paddock', label: 'Koppel' })
  const spanish = await viewer.read('/catalogue.json?language=es')
  expect(spanish.lists.area_types).toContainEqual({ value: 'paddock', label: 'Potrero' })
  expect(await viewer.read('/catalogue.json?language=en')).toEqual(own)
  const preferring = await viewer.get('/catalogue.json', { 'accept-language': 'de' })
  expect(preferring.body).toEqual(own)
})

test('the info record has its labels in another language, too', async () => {
  const own = await viewer.read('/farm.json')
  const { resources } = await viewer.read('/farm.json?language=de')
  expect(resources.log.farm_harvest).toMatchObject({ label: 'Ernte', label_plural: 'Ernten' })
  expect(resources.log.farm_harvest.properties.name.label).toBe('Name')
  expect(resources.log.farm_harvest.fields.images.label).toBe('Fotos')
  expect(Object.keys(resources.log)).toEqual(Object.keys(own.resources.log))
  expect((await viewer.read('/farm.json')).resources).toEqual(own.resources)
})

test.each(['/catalogue.json', '/farm.json'])(
  '%s refuses a language that it does not know, and says which it knows',
  async (path) => {
    for (const language of ['fr', 'DE', '', 'en,de', '__proto__', 'constructor']) {
      const { status, body } = await viewer.get(`${path}?language=${language}`)
      expect(status).toBe(400)
      expect(body.detail).toContain(`"${language}": it knows en, de, es.`)
    }
  },
)

test('the farm lists a language once a manager has added it', async () => {
  const listed = async () => Object.keys((await viewer.read('/farm.json')).languages)
  const set = (name: 'language' | 'languages', value: string) =>
    farm.installation.database.write((tx) => writeFarmSetting(tx, name, value))
  expect(await listed()).toEqual(['en'])
  await set('languages', 'es')
  expect(await listed()).toEqual(['en', 'es'])
  expect((await viewer.read('/farm.json')).languages.es).toEqual({
    language: 'es',
    name: 'Spanish',
    native: 'Español',
    direction: 0,
  })
  expect((await viewer.read('/me.json')).farm.languages).toEqual(['en', 'es'])
  await set('language', 'de')
  expect(await listed()).toEqual(['de', 'es'])
  await set('language', 'en')
  await set('languages', '')
  expect(await listed()).toEqual(['en'])
  await expect(set('languages', 'de es')).rejects.toMatchObject({ refusal: 'invalid-content' })
})

describe('a page for people', () => {
  const browser = { accept: 'text/html' }
  const heading = ({ text }: { readonly text: string }) =>
    /<html lang="(\w+)">[\s\S]*<h1>(.*?)<\/h1>/.exec(text)?.slice(1)

  test('speaks the language of the query, else of the browser, else of the farm', async () => {
    const { anonymous } = farm
    const preferring = (languages: string) => ({ ...browser, 'accept-language': languages })
    for (const [languages, shown] of [
      ['de-AT,de;q=0.9,en;q=0.8', 'de'],
      ['fr, en;q=0.3, ES-mx;q=0.7', 'es'],
      ['de;q=0, fr, *;q=0.5, ;;q=, __proto__', 'en'],
    ] as const)
      expect(heading(await anonymous.get('/user/login', preferring(languages)))?.[0]).toBe(shown)
    expect(heading(await anonymous.get('/invitation', preferring('de')))).toEqual(['de', 'Du bist eingeladen'])
    expect(heading(await anonymous.get('/user/login?language=es', preferring('de')))?.[0]).toBe('es')
    expect(heading(await anonymous.get('/user/login?language=de', browser))).toEqual(['de', 'Anmelden'])
    expect(heading(await anonymous.get('/user/login?language=es', browser))).toEqual(['es', 'Entrar'])
    expect(heading(await anonymous.get('/invitation?language=de', browser))).toEqual(['de', 'Du bist eingeladen'])
    expect(heading(await anonymous.get('/new-password?language=es', browser))).toEqual(['es', 'Una contraseña nueva'])
    expect(heading(await anonymous.get('/user/login?language=__proto__', browser))).toEqual(['en', 'Log in'])
    expect(heading(await anonymous.get('/nothing?language=de', browser))).toEqual(['de', 'Nicht gefunden'])
    expect(heading(await anonymous.get('/user/logout?language=es', browser))).toEqual(['es', 'Has salido'])
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'language', 'de'))
    expect(heading(await anonymous.get('/user/login', browser))).toEqual(['de', 'Anmelden'])
    expect(heading(await anonymous.get('/user/login', preferring('en')))).toEqual(['en', 'Log in'])
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'language', 'en'))
  })

  test('speaks the language of the account to whoever is logged in', async () => {
    const someone = await farm.login('worker')
    const form = new URLSearchParams({ name: someone.login.name, pass: someone.login.password, form_id: 'user_login' })
    const entered = await farm.anonymous.send('POST', '/user/login', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    })
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    expect(heading(await farm.anonymous.get('/account', { ...browser, cookie }))).toEqual(['en', 'Your account'])
    await farm.installation.database.write(async (tx) => {
      await tx.updateTable('account').set({ language: 'es' }).where('name', '=', someone.login.name).execute()
      await writeFarmSetting(tx, 'timezone', 'America/Lima')
    })
    const page = await farm.anonymous.get('/account?language=de', { ...browser, cookie })
    expect(heading(page)).toEqual(['es', 'Tu cuenta'])
    expect(page.text).toContain(`Eres <strong>${someone.login.name}</strong>, trabajas en la finca.`)
    const begun = await farm.installation.database.read((snapshot) =>
      snapshot.selectFrom('session').select('created').orderBy('created', 'desc').executeTakeFirstOrThrow(),
    )
    const inLima = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'America/Lima' } as const
    const moment = new Intl.DateTimeFormat('es', inLima).format(Number(begun.created) * 1000)
    expect(page.text).toContain(`Desde ${moment}, de `)
    expect(page.text).toContain('Hacer todo lo que tú puedes hacer en esta finca')
  })
})
