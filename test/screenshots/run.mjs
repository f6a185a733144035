// `npm run screens`: pictures of the app in a folder that git leaves alone.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const usage = `npm run screens -- [options]

Without options: every screen on a phone, and of the desk, other themes, farms and states what looks otherwise.
With options: every screen that is named, in each of what is named.

  --screen NAMES   such as today,map,area
  --width NUMBERS  360,1280 or others
  --theme NAMES    light,dark,sun
  --farm NAMES     demo,empty,areas-5000
  --state NAMES    online,offline,loading,viewer,no-role,logged-out,large-text
  --language CODE  de, es, or pseudo: English, longer by two fifths and from right to left
  --into FOLDER    where the pictures go (./screens)`

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const list = /** @type {const} */ ({ type: 'string' })
const { values } = parseArgs({
  options: {
    ...{ help: { type: 'boolean' }, screen: list, width: list, theme: list, farm: list, state: list },
    ...{ language: list, into: list },
  },
})

if (values.help) console.log(usage)
else {
  const { into = join(root, 'screens'), language, ...named } = values
  const wanted = Object.entries(named).map(([name, words]) => [name, String(words).split(',')])
  const env = { ...process.env, SCREENS: JSON.stringify({ into, language, ...Object.fromEntries(wanted) }) }
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const config = join(root, 'test/screenshots/vitest.config.ts')
  const run = spawn(process.execPath, [vitest, 'run', '--config', config], { cwd: root, env, stdio: 'inherit' })
  run.once('exit', (code) => process.exit(code ?? 1))
}
