import { writeFileSync } from 'node:fs'

/**
 * Vitest's reports for programs leave out what fails outside every test, such as a promise that is rejected after its
 * test has ended: this one writes down these errors, with the test file that was running, to the file
 * that scripts/test.mjs names in TEST_ERRORS_FILE.
 */
export default class ErrorReporter {
  onTestRunEnd(_modules, errors) {
    const told = errors.map((error) => ({
      file: error.VITEST_TEST_PATH,
      test: error.VITEST_TEST_NAME,
      why: [`${error.type ?? 'Error'}: ${error.stack ?? error.message ?? String(error)}`, ...causesOf(error)],
    }))
    const file = process.env.TEST_ERRORS_FILE
    if (file) writeFileSync(file, JSON.stringify(told))
  }
}

function causesOf({ cause }) {
  return cause ? [`Cause: ${cause.stack ?? cause.message ?? String(cause)}`, ...causesOf(cause)] : []
}
