export const CHECK_USAGE = `latchscope check FILE [--junit FILE] [--json FILE] [--github]
    FILE       expectations of runs and comparisons, as JSON, or - for standard input
    --junit    writes a JUnit XML report to this file, or - for standard output
    --json     writes the report as JSON, in the same way
    --github   also prints an annotation of GitHub Actions for each failed expectation
Exit code 0: all expectations hold; 1: one fails or is undecided; 2: bad usage or a wrong file; 3: the
engine failed; 4: a report cannot be written.
`;
