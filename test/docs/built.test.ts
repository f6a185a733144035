import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { builtMain, furrow, serve } from '../cli/built-furrow.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { root } from '../house/tree.ts'

const asBrowser = { headers: { accept: 'text/html' } }

test('the built program brings its pages along', async () => {
  const { address } = await serve(['--data', await emptyDirectory()])
  const answer = await fetch(`${address}/docs/concepts`, asBrowser)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('<h2 id="move-a-herd">')
})

test('a program whose pages or words are gone says so, and what to do', async () => {
  const place = await mkdtemp(join(dirname(dirname(await builtMain())), 'without-pages-'))
  atEndOfFile(() => rm(place, { recursive: true, force: true }))
  await cp(join(dirname(await builtMain())), join(place, 'dist'), { recursive: true })
  await cp(join(root, 'package.json'), join(place, 'package.json'))
  await rm(join(place, 'dist/docs'), { recursive: true })
  const main = join(place, 'dist/main.cjs')
  const demo = await furrow(['demo', '--data', await emptyDirectory()], { main })
  expect(demo).toMatchObject({ code: 1, stdout: '' })
  expect(demo.stderr).toBe(
    'furrow: The words of the demo farm are missing from this installation. Install Furrow again, with its folder `examples`.\n',
  )
  const { address } = await serve(['--data', await emptyDirectory()], { main })
  for (const path of ['/docs', '/docs/concepts']) {
    const answer = await fetch(address + path, asBrowser)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('The documentation is missing from this installation')
  }
})

test('the published package has them', async () => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
  })
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'dist/docs/titles.json',
      'dist/docs/concepts.html',
      'dist/docs/pictures/today.webp',
      'docs/concepts.md',
      'examples/demo/garden.json',
    ]),
  )
})
