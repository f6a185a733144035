import { readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { appFolder } from '../../src/shipped-folders.ts'
import { languages } from '../../src/words/languages.ts'

const built = (name: string): URL => new URL(name, appFolder)

interface Listed {
  readonly codings: readonly string[]
}

const files: Readonly<Record<string, Listed>> = JSON.parse(readFileSync(built('files.json'), 'utf8'))
const names = Object.keys(files)
const scripts = names.filter((name) => name.endsWith('.js') && name !== 'sw.js')
/** What takes signal, and comes when whoever runs the farm asks for it. */
const isOfOwner = (name: string): boolean =>
  /^(?:import|owner|setup|people|settings|reports|moving|demo)-|^shared-report\./.test(name)
const ofOwner = scripts.filter(isOfOwner)
/** The map, the small one on pages, and what only these two have in common. */
const ofMap = scripts.filter((name) => /^(?:map-screen|place-map|place)-/.test(name))
const ofDrawing = scripts.filter((name) => /^draw-/.test(name))
/** Each comes when it is chosen, and is kept from then on. */
const isOfLanguage = (name: string): boolean => Object.keys(languages).some((code) => name.startsWith(`${code}-`))
const ofLanguages = scripts.filter(isOfLanguage)
const others = scripts.filter((name) => ![...ofMap, ...ofDrawing, ...ofOwner, ...ofLanguages].includes(name))

/** What has to be there before anything is seen, by the page itself. */
const opening = scripts.filter((name) => readFileSync(built('app.html'), 'utf8').includes(`/${name}"`))

const sizeOf = (name: string): number =>
  statSync(built(files[name]?.codings.includes('gzip') ? `${name}.gz` : name)).size
const together = (some: readonly string[]): number => some.reduce((sum, name) => sum + sizeOf(name), 0)
const importsOf = (some: readonly string[]): string[] =>
  some.flatMap((name) => readFileSync(built(name), 'utf8').match(/(?<=(?:\bfrom|^import|;import)\s*")[^"]+/g) ?? [])
/** On a slow line each file costs more than its bytes. */
const mostScripts = 16
const kilobytes = (count: number): number => count * 1000

/** What its worker keeps, by its own list. */
const kept = (): string[] => {
  const worker = readFileSync(built('sw.js'), 'utf8')
  return names.filter(
    (name) =>
      name === 'sw.js' || (!isOfLanguage(name) && (worker.includes(`\`${name}\``) || worker.includes(`"${name}"`))),
  )
}

describe('over the wire, compressed, the app has', () => {
  it('at most 50.5 kB of script that it opens with, and nothing else that is needed for it', () => {
    expect(opening.map((name) => name.replace(/-[\w-]{8}\.js$/, ''))).toEqual(['app'])
    expect(importsOf(opening)).toEqual([])
    expect(together(opening)).toBeLessThanOrEqual(kilobytes(50.5))
  })
  it('at most 28 kB in each part that comes later, and 132 kB of script without the map, in few files', () => {
    const parts = others.filter((name) => !opening.includes(name))
    expect(parts.filter((name) => sizeOf(name) > kilobytes(28))).toEqual([])
    expect(together(others)).toBeLessThanOrEqual(kilobytes(132))
    expect(scripts.length - ofOwner.length - ofLanguages.length).toBeLessThanOrEqual(mostScripts)
  })
  it('at most 20 kB in each part of whoever runs the farm', () => {
    expect(ofOwner.filter((name) => sizeOf(name) > kilobytes(20))).toEqual([])
  })
  it('at most 150 kB of demo farm', () => {
    const demo = names.filter((name) => /^demo-[\w-]{8}\.json$/.test(name))
    expect(demo).toHaveLength(1)
    expect(together(demo)).toBeLessThanOrEqual(kilobytes(150))
  })
  it('at most 72 kB of map, and 32 kB more for drawing', () => {
    expect(ofMap.length).toBeGreaterThan(0)
    expect(together(ofMap)).toBeLessThanOrEqual(kilobytes(72))
    expect(together(ofDrawing)).toBeLessThanOrEqual(kilobytes(32))
  })
  it('at most 14 kB in each further language, which nobody loads but who speaks it', () => {
    expect(ofLanguages).toHaveLength(Object.keys(languages).length - 1)
    expect(ofLanguages.filter((name) => sizeOf(name) > kilobytes(14))).toEqual([])
  })
  it('at most 8 kB of style that it opens with, and 10.5 kB of all style that is kept', () => {
    const page = readFileSync(built('app.html'), 'utf8')
    const sheets = names.filter((name) => name.endsWith('.css'))
    const first = sheets.filter((name) => page.includes(`<link rel="stylesheet" href="/app/${name}">`))
    expect(first).toHaveLength(1)
    expect(together(first)).toBeLessThanOrEqual(kilobytes(8))
    expect(together(sheets.filter((name) => !isOfOwner(name)))).toBeLessThanOrEqual(kilobytes(10.5))
  })
  it('at most 220 kB of all that is kept on a device, and all that the field needs is', () => {
    const sheets = names.filter((name) => name.endsWith('.css'))
    const needed = [...scripts, ...sheets].filter((name) => !isOfOwner(name) && !isOfLanguage(name))
    expect(kept()).toEqual(expect.arrayContaining([...needed, 'app.html', 'icon.svg']))
    expect(kept().filter(isOfOwner)).toEqual([])
    expect(together(kept())).toBeLessThanOrEqual(kilobytes(220))
  })
})

describe('the scripts of the app', () => {
  it('have nothing in them that reads rasters, which the library for maps would bring along', () => {
    expect(scripts).not.toEqual([])
    for (const name of scripts) expect(readFileSync(built(name), 'utf8'), name).not.toMatch(/geotiff|pako|zstd/i)
  })
  it('name no other place to fetch from', () => {
    const harmless = /^https?:\/\/(www\.w3\.org|openlayers\.org|www\.opengis\.net|schemas\.|fb\.me|preactjs\.com)/
    for (const name of [...scripts, 'sw.js']) {
      const addresses = readFileSync(built(name), 'utf8').match(/https?:\/\/[\w.-]+\.\w+[^\s"'`)]*/g) ?? []
      expect(
        addresses.filter((address) => !harmless.test(address)),
        name,
      ).toEqual([])
    }
  })
  it('come with the licences of what is in them', () => {
    const licences = readFileSync(built('licences.txt'), 'utf8')
    for (const library of ['preact', '@preact/signals', 'idb', 'ol']) expect(licences).toContain(`${library}\n\n`)
  })
})
