import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emptyDirectory, emptyPlace } from '../harness/databases.ts'
import { furrow } from './built-furrow.ts'

const adding = (name: string) => ['user', 'add', name, '--role', 'manager', '--password-stdin']

it('a directory on the command line is the farm that is meant, and the one of FURROW_DATABASE is left alone', async () => {
  const { database } = await emptyPlace('postgres')
  const [env, input] = [{ FURROW_DATABASE: database ?? '' }, 'green fields 42']
  await furrow(adding('petra'), { env, input })
  const folder = await emptyDirectory()
  const [data, archive] = [join(folder, 'farm'), join(folder, 'farm.tar.gz')]
  expect((await furrow([...adding('ada'), '--data', data], { env, input })).code).toBe(0)
  expect((await furrow(['backup', archive, '--data', data], { env })).stdout).toContain('1 account,')

  const restored = await furrow(['restore', archive, '--data', data, '--replace'], { env })
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining(`The farm in ${data} now is`) })
  expect(restored.stderr).toContain('--data says which farm is meant; FURROW_DATABASE is set aside.')
  expect((await furrow(['user', 'list', '--data', data], { env })).stdout).toMatch(/\bada\b/)
  const { stdout, stderr } = await furrow(['user', 'list'], { env })
  expect([stdout, stderr]).toEqual([expect.stringMatching(/\bpetra\b/), ''])
  expect(stdout).not.toContain('ada')
})
