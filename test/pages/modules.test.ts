import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadFarm } from '../../src/cli/modules.ts'
import type { Farm } from '../../src/farm/farm.ts'
import { faultsOfFarm } from '../../src/farm/farm-validation.ts'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { serveAsShown } from './machine.ts'
import { Page } from './page.ts'

const page = new Page('docs/modules.md')
const examples = page.take('js').map(({ code }) => code)
const wholeModules = examples.filter((code) => code.includes('export default'))
const expressions = examples.filter((code) => !code.includes('export default'))

/** A farm that the example made, or one with a log type that has the example's field. */
function farmOf(code: string): Farm {
  const made = new Function('farm', 'kit', `return ${code}`)(stockFarm, kit)
  if ('records' in made) return made
  return kit.withLogType(stockFarm, 'example', { label: 'Example', plural: 'Examples', fields: { example: made } })
}

describe('docs/modules.md', () => {
  it.each(expressions)('shows what works: %s', (code) => {
    expect(faultsOfFarm(farmOf(code))).toEqual([])
  })

  it('shows whole modules that can be loaded', async () => {
    expect(wholeModules).not.toEqual([])
    const folder = await emptyDirectory()
    for (const [index, code] of wholeModules.entries()) {
      const path = join(folder, `${index}.mjs`)
      await writeFile(path, code)
      expect(Object.keys((await loadFarm([path])).records.asset.bundles)).toContain('grow_lamp')
    }
  })

  it('shows how to serve a farm with one, and no other commands', async () => {
    await serveAsShown(page.take('sh', 'server'))
    expect(page.left).toEqual([])
  })

  it('shows every word of the kit', () => {
    for (const word of Object.keys(kit)) expect(examples.join('\n'), word).toContain(`kit.${word}`)
  })
})
