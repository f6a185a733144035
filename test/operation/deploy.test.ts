import { exec } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { debianVersion, versionOfRelease } from '../../build/release-version.mjs'
import { commentMilliseconds } from '../../src/doors/furrow/event-streams.ts'
import { limits } from '../../src/limits.ts'
import { serve } from '../cli/built-furrow.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { root } from '../house/tree.ts'

const deployed = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')

/** In nginx a letter stands for a power of 1024; in Caddy `MB` is a million bytes and `MiB` a power of 1024. */
const unitBytes: Readonly<Record<string, number>> = {
  k: 1024,
  m: 1024 ** 2,
  KB: 1e3,
  MB: 1e6,
  KiB: 1024,
  MiB: 1024 ** 2,
}

const sizesIn = (text: string, setting: RegExp): number[] =>
  [...text.matchAll(setting)].map(([, digits, unit = '']) => Number(digits) * (unitBytes[unit] ?? Number.NaN))

test.each([
  ['nginx.conf', /^ *client_max_body_size (\d+)(\w+);/gm, 2],
  ['Caddyfile', /^\s*max_size (\d+)(\w+)$/gm, 1],
])(
  '%s lets every body through that the server takes, and lets it refuse larger ones itself',
  (name, setting, count) => {
    const sizes = sizesIn(deployed(name), setting)
    expect(sizes.length).toBe(count)
    for (const size of sizes) expect(size).toBeGreaterThan(limits.bodyBytes)
  },
)

test('nginx hands events on as they come, for as long as a stream lasts', () => {
  const nginx = deployed('nginx.conf')
  const [seconds = 0] = [...nginx.matchAll(/^ *proxy_read_timeout (\d+)s;/gm)].map(([, digits]) => Number(digits))
  expect(seconds).toBeGreaterThan(commentMilliseconds / 1000)
  expect(nginx).not.toMatch(/proxy_ignore_headers|proxy_buffering on|gzip/)
})

test('the files of a release are named by its version, and before it by the commit they were built from', () => {
  const state = { version: '0.2.0', commit: '4cc344e6aaaa', epoch: Date.UTC(2026, 10, 18, 20, 19, 1) / 1000 }
  const named = (changelog: string) => versionOfRelease({ ...state, changelog })
  expect(named('## [0.2.0] - 2026-11-18\n## [0.1.0]\n')).toBe('0.2.0')
  const early = named('# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-10-01\n')
  expect([early, debianVersion(early)]).toEqual(['0.2.0-20261118201901.g4cc344e6', '0.2.0~20261118201901.g4cc344e6'])
  expect(() => named('## [Unreleased]\n## [0.2.0]\n')).toThrow('give package.json the next version')
  expect(() => named('## [0.1.0]\n')).toThrow('CHANGELOG.md begins with 0.1.0')
})

interface Stage {
  readonly name: string
  readonly folder: string
}

test('the image is built of what the Dockerfile copies, and runs', async () => {
  const image = await buildImage()
  const main = join(image, 'dist/main.cjs')
  expect(await readdir(join(image, 'examples'))).toContain('demo')
  const { address } = await serve(['--data', await emptyDirectory()], { main })
  for (const path of ['/app/', '/docs/concepts', '/readyz']) {
    const answer = await fetch(address + path, { headers: { accept: 'text/html' } })
    expect([path, answer.status]).toEqual([path, 200])
  }
})

/** Follows the Dockerfile with one folder for each stage. Resolves to the folder of the last. */
async function buildImage(): Promise<string> {
  const stages: Stage[] = []
  for (const line of deployed('Dockerfile').matchAll(/^(FROM|COPY|RUN) (.*)$/gm)) {
    const [, instruction, words = ''] = line
    if (instruction === 'FROM')
      stages.push({ name: / AS (\w+)$/.exec(words)?.[1] ?? '', folder: await emptyDirectory() })
    const stage = stages.at(-1)
    if (stage === undefined) throw new Error('The Dockerfile names no image to begin with.')
    if (instruction === 'COPY') await copyInto(stage, words, stages)
    if (instruction === 'RUN') for (const command of words.split(' && ')) await runIn(stage, command)
  }
  return stages.at(-1)?.folder ?? ''
}

async function copyInto({ folder }: Stage, words: string, stages: readonly Stage[]): Promise<void> {
  const [, from, paths = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(words) ?? []
  const names = paths.split(' ')
  const target = join(folder, names.pop() ?? '')
  for (const name of names) {
    if (from === undefined) expect(sentToBuilder).toContain(name)
    const source = from === undefined ? join(root, name) : stageFile(stages, from, name)
    const isFolder = (await stat(source)).isDirectory()
    await cp(source, isFolder ? target : join(target, basename(name)), { recursive: true })
  }
}

/** Everything else is ignored. */
const sentToBuilder = [...deployed('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name)

function stageFile(stages: readonly Stage[], from: string, path: string): string {
  const stage = stages.find(({ name }) => name === from)
  if (stage === undefined) throw new Error(`No stage is called ${from}.`)
  return path.replace(/^\/furrow/, stage.folder)
}

/** The packages are those that are installed here; all other commands are run. */
async function runIn({ folder }: Stage, command: string): Promise<void> {
  const packages = join(folder, 'node_modules')
  if (command.startsWith('npm ci ')) await symlink(join(root, 'node_modules'), packages)
  else if (command.startsWith('npm prune --omit=dev ')) await keepRunTimePackages(packages)
  else if (command.startsWith('npm run ')) await promisify(exec)(command, { cwd: folder })
  else expect(command).toMatch(/^(ln -s|install -d) /)
}

async function keepRunTimePackages(packages: string): Promise<void> {
  await rm(packages)
  const { packages: locked } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  for (const [path, { dev }] of Object.entries<{ readonly dev?: boolean }>(locked)) {
    const name = path.replace(/^node_modules\//, '')
    if (name === path || name.includes('node_modules/') || dev || !existsSync(join(root, path))) continue
    await cp(join(root, path), join(packages, name), { recursive: true })
  }
}
