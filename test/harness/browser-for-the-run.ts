import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium as playwright } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { adviceFor, type Machine, type Way, waysToABrowser } from './ways-to-a-browser.ts'

interface FoundBrowser {
  readonly path: string
  /** What it needs in its environment beside what is there. */
  readonly variables: Readonly<Record<string, string>>
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser of this run, or what to do so that there is one. */
    browser: FoundBrowser | { readonly advice: string }
  }
}

/** Looks for a browser once for the whole run. Where there is none, only the tests that open one fail. */
export default async function setUp(root: TestProject): Promise<void> {
  if (process.env.TEST_NEEDS_FARM === 'no') return
  root.provide('browser', await findBrowser(await thisMachine(root.getProvidedContext().chromium)))
}

async function thisMachine(named: string | undefined): Promise<Machine> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return {
    platform: platform(),
    arch: arch(),
    isRoot: process.getuid?.() === 0,
    distribution: /^ID="?([^"\n]+)/m.exec(release)?.[1] ?? '',
    folders: (process.env.PATH ?? '').split(delimiter),
    download: playwright.executablePath(),
    named,
  }
}

export async function findBrowser(machine: Machine): Promise<FoundBrowser | { readonly advice: string }> {
  for (const way of waysToABrowser(machine)) {
    const browser = await reach(way)
    if (await starts(browser)) return browser
  }
  return { advice: adviceFor(machine) }
}

async function reach(way: Way): Promise<FoundBrowser> {
  if (way.by === 'package') return unpackedPackage()
  if (way.by === 'command') await runOnScreen(way.command)
  return { path: way.path, variables: {} }
}

async function runOnScreen(command: string): Promise<void> {
  console.log(`The tests need a browser, and there is none yet: ${command}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000' }
  const child = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  await new Promise((resolve) => child.once('error', resolve).once('close', resolve))
}

/** A wrong machine's, one that lacks a library and one that only says where to get it do not know their version. */
async function starts({ path, variables }: FoundBrowser): Promise<boolean> {
  if (!existsSync(path)) return false
  const env = { ...process.env, ...variables }
  return promisify(execFile)(path, ['--version'], { env, timeout: 60_000 }).then(
    ({ stdout }) => /Chrom/.test(stdout),
    () => false,
  )
}

const unpack = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())"

/**
 * The package unpacks itself into the temporary folder and takes half a file of another run for a whole one: so it unpacks
 * into a folder of its own, which gets its name only when it is complete. The variable makes it unpack its libraries too. It
 * looks for its fonts in /tmp itself, and falls where it finds none.
 */
async function unpackedPackage(): Promise<FoundBrowser> {
  const folder = join(tmpdir(), 'furrow-chromium-147.0.0')
  const variables = {
    HOME: folder,
    LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  }
  const browser = { path: join(folder, 'chromium'), variables }
  if (existsSync(folder)) return browser
  const staging = await mkdtemp(`${folder}-`)
  const env = { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', unpack], { env })
  const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`
  await writeFile(join(staging, 'fonts', 'fonts.conf'), `<?xml version="1.0"?>\n${fonts}\n`)
  try {
    await rename(staging, folder)
  } catch {
    // Another run was quicker.
    await rm(staging, { recursive: true, force: true })
  }
  return browser
}
