import { writeFileSync } from 'node:fs'

/**
 * Vitest's reports for programs leave out what fails outside every test, such as a promise that is rejected after its
 * test has ended, and a hook of a group of tests: this one writes down these errors, with the test file that was
 * running, to the file that scripts/test.mjs names in TEST_ERRORS_FILE.
 */
export default class ErrorReporter {
  onTestRunEnd(modules, errors) {
    const hooks = modules.flatMap(({ moduleId, children }) =>
      [...children.allSuites()].flatMap((suite) =>
        suite.errors().map((error) => ({ file: moduleId, test: suite.fullName, why: whyOf(error) })),
      ),
    )
    const others = errors.map((error) => ({
      file: error.VITEST_TEST_PATH,
      test: error.VITEST_TEST_NAME,
      why: whyOf(error),
    }))
    const told = [...hooks, ...others]
    const file = process.env.TEST_ERRORS_FILE
    if (file) writeFileSync(file, JSON.stringify(told))
  }
}

function whyOf(error) {
  return [`${error.type ?? 'Error'}: ${error.stack ?? error.message ?? String(error)}`, ...causesOf(error)]
}

function causesOf({ cause }) {
  return cause ? [`Cause: ${cause.stack ?? cause.message ?? String(cause)}`, ...causesOf(cause)] : []
}
