// Installs what `npm run release` has made as strangers do: `npm run test:release`. Takes root, a Debian mirror and minutes.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { DatabaseSync } from '@photostructure/sqlite'
import { debianVersion } from '../../build/release-version.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const out = join(root, 'release')
/** As the files are named: it names one commit. */
const [, version = ''] = readdirSync(out).flatMap((name) => /^furrow-(.*)\.tgz$/.exec(name) ?? [])
const own = process.arch === 'arm64' ? 'arm64' : 'x64'
const other = own === 'arm64' ? 'x64' : 'arm64'
const debian = { arm64: 'arm64', x64: 'amd64' }
const work = mkdtempSync(join(tmpdir(), 'furrow-release-test-'))
/** @type {(() => void)[]} */
const endings = []

const run = (/** @type {string} */ program, /** @type {string[]} */ args, options = {}) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options })

/** @type {[string, () => unknown][]} */
const checks = [
  ['the checksums are those of the files', () => run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: out })],
  ['the npm package is small, and has no source maps and nothing for one processor', npmPackage],
  ['the npm package, installed globally, serves a farm', installedGlobally],
  ['npx with the package serves a farm', () => byNpx()],
  ['the archive serves a farm with its own Node and nothing else', ownArchive],
  [`the files for ${other} are for that processor`, otherProcessor],
  [
    'the Debian package is installed, serves, upgrades an earlier farm, is upgraded, removed and purged without loss',
    debianPackage,
  ],
  ['the units are understood by systemd', units],
  ['a clean clone in another folder makes the same bytes', sameBytesElsewhere],
]

const tarball = () => join(out, `furrow-${version}.tgz`)

function npmPackage() {
  const names = run('tar', ['-tzf', tarball()]).split('\n')
  assert.deepEqual(
    names.filter((name) => /\.(map|compiled)$/.test(name)),
    [],
  )
  for (const name of ['CHANGELOG.md', 'deploy/furrow.service', 'LICENSE', 'sbom.cdx.json', 'THIRD-PARTY-LICENCES.txt'])
    assert.ok(names.includes(`package/${name}`), name)
  const folder = join(work, 'package')
  mkdirSync(folder)
  run('tar', ['-xzf', tarball(), '-C', folder])
  const bytes = Number(run('du', ['-sb', folder]).split('\t')[0])
  assert.ok(bytes <= 10_000_000, `${bytes} bytes unpacked`)
}

async function installedGlobally() {
  const prefix = join(work, 'global')
  run('npm', ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', tarball()])
  const furrow = join(prefix, 'bin/furrow')
  assert.match(
    run(furrow, ['--version']),
    new RegExp(`^${version.replaceAll('.', '\\.')} \\(commit [0-9a-f]{40}, tables \\d+\\)`),
  )
  await serves(furrow, ['serve', '--data', join(work, 'global-farm')])
}

function byNpx() {
  const words = ['--yes', `--package=${tarball()}`, 'furrow', 'serve', '--data', join(work, 'npx-farm')]
  return serves('npx', words, { cwd: work })
}

async function ownArchive() {
  run('tar', ['-xzf', join(out, `furrow-${version}-linux-${own}.tar.gz`), '-C', work])
  const furrow = join(work, `furrow-${version}-linux-${own}/bin/furrow`)
  const bill = JSON.parse(readFileSync(join(furrow, '../../lib/sbom.cdx.json'), 'utf8'))
  const named = bill.components.map((/** @type {{ name: string }} */ { name }) => name)
  for (const name of [`node-linux-${own}`, `@node-rs/argon2-linux-${own}-gnu`, 'fastify'])
    assert.ok(named.includes(name))
  await serves(furrow, ['serve', '--data', join(work, 'archive-farm')], { env: { PATH: '/usr/bin:/bin' } })
}

/** The processor that a program or library is for, as its ELF header says. @param {string} path */
function processorOf(path) {
  const header = Buffer.alloc(20)
  readSync(openSync(path, 'r'), header)
  return { 183: 'arm64', 62: 'x64' }[header.readUInt16LE(18)]
}

function otherProcessor() {
  run('tar', ['-xzf', join(out, `furrow-${version}-linux-${other}.tar.gz`), '-C', work])
  const tree = join(work, `furrow-${version}-linux-${other}`)
  const machineCode = readdirSync(tree, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.node$|node\/node$/.test(name),
  )
  assert.equal(machineCode.filter((name) => statSync(join(tree, name)).isFile()).length, 3)
  for (const name of machineCode) assert.equal(processorOf(join(tree, name)), other, name)
  const names = (/** @type {string} */ one) =>
    run('tar', ['-tzf', join(out, `furrow-${version}-linux-${one}.tar.gz`)]).replaceAll(one, 'PROCESSOR')
  assert.equal(names(other), names(own))
  assert.match(run('dpkg-deb', ['--field', deb(other), 'Architecture']), new RegExp(debian[other]))
}

const deb = (/** @type {'arm64' | 'x64'} */ processor) =>
  join(out, `furrow_${debianVersion(version)}_${debian[processor]}.deb`)

async function debianPackage() {
  const chroot = join(work, 'debian')
  run('debootstrap', ['--variant=minbase', 'bookworm', chroot], { stdio: 'ignore' })
  run('mount', ['--bind', '/proc', join(chroot, 'proc')])
  endings.push(() => run('umount', [join(chroot, 'proc')]))
  const inside = (/** @type {string[]} */ ...words) =>
    run('chroot', [chroot, ...words], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    })
  run('cp', [deb(own), join(chroot, 'furrow.deb')])
  inside('apt-get', 'install', '--yes', './furrow.deb')
  const unit = readFileSync(join(chroot, 'lib/systemd/system/furrow.service'), 'utf8')
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? []
  const uid = Number(inside('id', '-u', 'furrow'))
  assert.equal(statSync(join(chroot, 'var/lib/furrow')).uid, uid)
  const asUnit = [
    `--userspec=furrow:furrow`,
    chroot,
    '/usr/bin/env',
    '-i',
    'FURROW_DATA=/var/lib/furrow',
    ...command.split(' '),
  ]
  await serves('chroot', asUnit)
  const data = join(chroot, 'var/lib/furrow')
  const farm = join(data, 'farm.sqlite')
  assert.ok(existsSync(farm))
  run('find', [data, '-mindepth', '1', '-delete'])
  const earlier = join(work, 'earlier.sqlite')
  const logs = writeEarlierFarm(earlier)
  cpSync(earlier, farm)
  chownSync(farm, uid, uid)
  await serves('chroot', asUnit)
  assert.ok(readdirSync(data).some((name) => /^farm-version-\d+-/.test(name)))
  inside('dpkg', '--install', '/furrow.deb')
  await serves('chroot', asUnit)
  inside('dpkg', '--remove', 'furrow')
  assert.ok(
    existsSync(farm) && !existsSync(join(chroot, 'usr/bin/furrow')) && existsSync(join(chroot, 'etc/furrow.conf')),
  )
  inside('dpkg', '--purge', 'furrow')
  assert.ok(existsSync(farm) && !existsSync(join(chroot, 'etc/furrow.conf')))
  assert.equal(logsIn(farm), logs)
}

/** A farm of the oldest version in use. Answers how many logs it has. @param {string} path */
function writeEarlierFarm(path) {
  const [oldest = ''] = readdirSync(join(root, 'test/fixtures'))
    .filter((name) => name.startsWith('version-'))
    .sort()
  writeFileSync(path, gunzipSync(readFileSync(join(root, 'test/fixtures', oldest, 'sqlite/farm.sqlite.gz'))))
  return logsIn(path)
}

/** @param {string} path */
function logsIn(path) {
  const file = new DatabaseSync(path, { readOnly: true })
  const [{ count } = { count: 0 }] = file.prepare('select count(*) as count from log').all()
  file.close()
  assert.ok(count > 0)
  return count
}

/** The program is not installed here: another that is stands for it. */
function units() {
  const folder = join(work, 'units')
  run('dpkg-deb', ['--extract', deb(own), folder])
  const system = join(folder, 'lib/systemd/system')
  const names = readdirSync(system).sort()
  assert.deepEqual(names, [
    'furrow-backup-failed.service',
    'furrow-backup.service',
    'furrow-backup.timer',
    'furrow.service',
  ])
  const paths = names.map((name) => join(system, name))
  for (const path of paths)
    writeFileSync(path, readFileSync(path, 'utf8').replace('ExecStart=/usr/bin/furrow', 'ExecStart=/bin/true'))
  run('systemd-analyze', ['verify', ...paths])
  for (const path of paths.filter((one) => /furrow(-backup)?\.service$/.test(one)))
    run('systemd-analyze', ['security', '--offline=true', '--threshold=40', '--no-pager', path], { stdio: 'ignore' })
}

/** With another umask, time zone and language, and its packages installed anew. */
function sameBytesElsewhere() {
  const { commit } = JSON.parse(run('tar', ['-xzOf', tarball(), 'package/dist/build.json']))
  const clone = join(work, 'another/deeper/folder')
  run('git', ['clone', '--quiet', root, clone])
  run('git', ['checkout', '--quiet', commit], { cwd: clone })
  const env = { ...process.env, TZ: 'Asia/Kolkata', LC_ALL: 'C.UTF-8' }
  run('sh', ['-c', 'umask 077 && npm ci --ignore-scripts --no-audit --no-fund && npm run release'], { cwd: clone, env })
  const sums = (/** @type {string} */ folder) => readFileSync(join(folder, 'release/SHA256SUMS'), 'utf8')
  assert.equal(sums(clone), sums(root))
}

/** Starts a server on a free port, makes the first account and a log, and stops it. @param {string} program @param {string[]} args @param {import('node:child_process').SpawnOptions} [options] */
async function serves(program, args, options = {}) {
  const began = Date.now()
  const child = spawn(program, [...args, '--port', '0'], { ...options, detached: true })
  let output = ''
  child.stdout?.on('data', (text) => (output += text))
  child.stderr?.on('data', (text) => (output += text))
  try {
    const base = await until(
      () => /listens at (http:\S+)/.exec(output)?.[1],
      () => output,
    )
    assert.ok(Date.now() - began < 60_000, 'it took more than a minute')
    for (const path of ['/readyz', '/app/', '/docs/operating'])
      assert.equal((await fetch(base + path, { headers: { accept: 'text/html' } })).status, 200, path)
    const [, setup] = /(http:\/\/\S+\/setup\S*)/.exec(output) ?? []
    if (setup !== undefined) await recordFirstLog(base, setup)
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await until(
      () => child.exitCode !== null || child.signalCode !== null || undefined,
      () => 'it does not stop',
    )
  }
}

/** @param {string} base @param {string} setup */
async function recordFirstLog(base, setup) {
  const page = await (await fetch(setup)).text()
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  )
  const fields = {
    ...Object.fromEntries(hidden),
    farm_name: 'Hill farm',
    system_of_measurement: 'metric',
    language: 'en',
    timezone: 'UTC',
    name: 'anna',
    pass: 'a long password',
    again: 'a long password',
  }
  const made = await fetch(`${base}/setup`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers: { origin: base },
  })
  assert.ok(made.status < 400, `setup: ${made.status}`)
  const body = {
    grant_type: 'password',
    client_id: 'farm',
    username: 'anna',
    password: 'a long password',
    scope: 'user_access',
  }
  const given = await fetch(`${base}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) })
  const { access_token: token } = JSON.parse(await given.text())
  const log = { name: 'First', type: 'farm_activity', timestamp: 1_780_000_000 }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = await fetch(`${base}/log`, { method: 'POST', headers, body: JSON.stringify(log) })
  assert.equal(sent.status, 201)
}

/** @template T @param {() => T | undefined} look @param {() => string} otherwise @returns {Promise<T>} */
async function until(look, otherwise) {
  for (let tries = 0; tries < 900; tries += 1) {
    const found = look()
    if (found !== undefined) return found
    await sleep(100)
  }
  throw new Error(otherwise())
}

try {
  for (const [name, check] of checks) {
    const began = Date.now()
    await check()
    console.log(`✓ ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
  }
} finally {
  for (const end of endings.reverse()) end()
  rmSync(work, { recursive: true, force: true })
}
