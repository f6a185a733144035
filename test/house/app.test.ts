import { describe, expect, it } from 'vitest'
import { appLibraryFaults, literalFaults, markupFaults, roomFaults, serverFaults } from './app.ts'
import { barrels, cycles, extensionFaults } from './imports.ts'
import { appSources, type TextFile } from './tree.ts'

const file = (path: string, ...imported: readonly string[]): TextFile => ({
  path,
  text: `${imported.map((from) => `import { thing } from '${from}'`).join('\n')}\nexport const own = 1\n`,
})
const screen = (text: string): TextFile => ({ path: 'web/screens/today/today.tsx', text: `const shown = ${text}\n` })

describe('the app', () => {
  it('imports only from its own room and from rooms to the left', () => {
    expect(roomFaults(appSources())).toEqual([])
  })
  it('knows each library in one room', () => {
    expect(appLibraryFaults(appSources())).toEqual([])
  })
  it('takes nothing but types and what it has in common with it from the server', () => {
    expect(serverFaults(appSources())).toEqual([])
  })
  it('never makes markup or code of text', () => {
    expect(markupFaults(appSources())).toEqual([])
  })
  it('has all of its words in the file of the language', () => {
    expect(literalFaults(appSources())).toEqual([])
  })
  it('imports files with their extension, in no circle and through no barrel', () => {
    expect(extensionFaults(appSources())).toEqual([])
    expect(cycles(appSources())).toEqual([])
    expect(barrels(appSources())).toEqual([])
  })
})

describe('the rules of the app', () => {
  it('see a room that reaches to its right, and a worker that does not stand alone', () => {
    expect(roomFaults([file('web/store/copy.ts', '../sync/ask.ts')])).toHaveLength(1)
    expect(roomFaults([file('web/look/row.tsx', '../screens/today/today.tsx')])).toHaveLength(1)
    expect(
      roomFaults([{ path: 'web/look/list.tsx', text: "const a = await import('../map/map-screen.tsx')" }]),
    ).toHaveLength(1)
    expect(roomFaults([file('web/worker.ts', './store/copy.ts')])).toHaveLength(1)
    expect(roomFaults([file('web/attic/a.ts', './b.ts')])).toHaveLength(1)
    expect(
      roomFaults([file('web/screens/today/today.tsx', '../../look/row.tsx', '../../../src/doors/app/documents.ts')]),
    ).toEqual([])
  })
  it('see a library outside of its room, and one that nobody may know', () => {
    expect(appLibraryFaults([file('web/screens/today/today.tsx', 'ol/Map.js')])).toHaveLength(1)
    expect(appLibraryFaults([file('web/sync/ask.ts', 'idb')])).toHaveLength(1)
    expect(appLibraryFaults([file('web/look/list.tsx', 'lodash')])).toHaveLength(1)
    expect(appLibraryFaults([file('web/map/map.ts', 'ol/Map.js', 'preact', '@preact/signals')])).toEqual([])
  })
  it('see code of the server', () => {
    const taken = "import { roles } from '../../src/farm/people/roles.ts'\n"
    expect(serverFaults([{ path: 'web/store/me.ts', text: taken }])).toHaveLength(1)
    expect(serverFaults([{ path: 'web/store/me.ts', text: taken.replace('import', 'import type') }])).toEqual([])
    expect(serverFaults([{ path: 'web/store/me.ts', text: taken.replace('import', 'export') }])).toHaveLength(1)
  })
  it('see markup that is made of text', () => {
    const wrong = [
      'a.innerHTML = b',
      'document.write(b)',
      'eval(b)',
      '<p dangerouslySetInnerHTML={b} />',
      'new Function(b)',
    ]
    for (const text of wrong) expect(markupFaults([screen(text)]), text).toHaveLength(1)
  })
  it('see words in a screen, and none where there are none', () => {
    const wrong = [
      '<p>Hello</p>',
      "<p>{late ? 'Late' : null}</p>",
      `<p>{\`Since \${day}\`}</p>`,
      '<input placeholder="Name or tag" />',
      '<Row title="Cows" />',
      "<img alt={big ? 'Big picture' : ''} />",
    ]
    for (const text of wrong) expect(literalFaults([screen(text)]), text).toHaveLength(1)
    const right = [
      '<p class="soft">{say(\'today.late\', { count })} · {name}</p>',
      '<Icon name="cow" />',
      '<input name="q" type="search" aria-label={say(\'search\')} />',
      '<p>{count > 0 && <b>{count}</b>} × {many.size < 3 ? 1 : 2}</p>',
    ]
    for (const text of right) expect(literalFaults([screen(text)]), text).toEqual([])
  })
})
