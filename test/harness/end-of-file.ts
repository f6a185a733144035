type Step = () => void | Promise<void>

const steps: Step[] = []

/** What is opened last is closed first, once the test file is done, whatever became of its tests. */
export function atEndOfFile(step: Step): void {
  steps.push(step)
}

export async function cleanUp(): Promise<void> {
  const errors: unknown[] = []
  for (let step = steps.pop(); step; step = steps.pop()) {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Cleaning up after the test file failed')
}
