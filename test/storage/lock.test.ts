import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { lockDataDirectory } from '../../src/storage/disk/data-directory.ts'
import { openDatabase } from '../../src/storage/open.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'

const holder = `
  import { runnerImport } from 'vite'
  const { module } = await runnerImport('./src/storage/disk/data-directory.ts')
  await module.lockDataDirectory(process.argv[1])
  console.log('locked')
  setInterval(() => {}, 1000)
`

test('a second server in the same process is refused, by the name of the directory, until the first lets go', async () => {
  const directory = await emptyDirectory()
  const lock = await lockDataDirectory(directory)
  await expect(lockDataDirectory(directory)).rejects.toThrow(`Another server is using the data directory ${directory}`)
  lock.release()
  lock.release()
  const next = await lockDataDirectory(directory)
  next.release()
})

test('commands may open the database beside the server', async () => {
  const data = await emptyDirectory()
  await (await openDatabase({ data, database: null })).close()
  const lock = await lockDataDirectory(data)
  const database = await openDatabase({ data, database: null })
  expect(await database.read((tables) => tables.selectFrom('log').select('id').execute())).toEqual([])
  await database.close()
  lock.release()
})

test('a server that is killed without warning gives the directory back', async () => {
  const directory = await emptyDirectory()
  const server = spawn(process.execPath, ['--input-type=module', '-e', holder, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEndOfFile(() => void server.kill('SIGKILL'))
  const [output] = await once(server.stdout, 'data')
  expect(String(output)).toContain('locked')
  await expect(lockDataDirectory(directory)).rejects.toMatchObject({ name: 'CannotOpen' })
  server.kill('SIGKILL')
  await once(server, 'exit')
  const lock = await lockDataDirectory(directory)
  lock.release()
})
