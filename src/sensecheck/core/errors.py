"""Every error that sensecheck raises on purpose.

SensecheckError
├── SpecError            something was described wrongly: a check, a cutoff, a setting (a ValueError)
│   └── BatteryError         a battery is wrong at one or more places, which it names
├── SampleError          a sample is malformed (a ValueError)
├── MissingExtra         an optional package is not installed (an ImportError)
├── BackendError        an encoder, a cross-encoder or a judge could not be had, or could not answer
│   ├── Unreachable          its endpoint did not answer
│   ├── ToolError            a tool refused what it was given, or could not do it
│   └── EncoderError         an encoder cannot be used
│       ├── WeightsError         its weights are missing, or are not what they should be
│       ├── StaleIndex           an index of vectors was made by another encoder
│       └── NotBatchInvariant    its vectors move with the texts that are encoded next to them
├── StorageError              a result cannot be written to its run: the disk is full, or gone
│   └── StorageFull               nothing more can be kept for now: the disk is full, or what may wait is
├── NoWorkers            no one does the work of a large run: workers do not start, or do not stay
├── CacheError           a cache on disk cannot be used, of vectors or of a judge's replies
├── ExpectationFailed                an answer is not what a test expects of it (an AssertionError)
├── UndeclaredNeed             a measure read something that it had not asked for: a bug in the measure
└── CannotJudge          no judgement can be made: becomes the outcome `error`
    ├── MissingInput         the sample lacks what the measure reads
    ├── Unreadable           a text could not be placed, or not answered for
    └── StaleCutoff          the cutoff was fitted for another encoder
"""


class SensecheckError(Exception):
    """Anything that sensecheck raises on purpose."""


class SpecError(SensecheckError, ValueError):
    """Something was described wrongly: a check, a cutoff, a setting."""


class NoSuchRun(SpecError):
    """There is no run, or no place, of this name."""


class BatteryError(SpecError):
    """A battery is wrong; every line of the message begins with the place, as `file:line:column`."""


class SampleError(SensecheckError, ValueError):
    """A sample is malformed."""


class MissingExtra(SensecheckError, ImportError):
    """An optional package is not installed; the message holds the command that installs it."""


class BackendError(SensecheckError):
    """An encoder, a cross-encoder or a judge could not be had, or could not answer."""


class Unreachable(BackendError):
    """An endpoint did not answer."""


class ToolError(BackendError):
    """A tool refused what it was given, or could not do it; the message is the tool's own."""


class EncoderError(BackendError):
    """An encoder cannot be used, or cannot do what was asked of it."""


class WeightsError(EncoderError):
    """Model weights are missing, or are not what they should be."""


class StaleIndex(EncoderError):
    """An index holds the vectors of another encoder than the one in use."""


class NotBatchInvariant(EncoderError):
    """An encoder's vectors move with the texts that are encoded next to them."""


class StorageError(SensecheckError):
    """A result cannot be written to its run: the disk is full, or gone."""


class StorageFull(StorageError):
    """Nothing more can be kept for now: the disk is full, or as much waits as may."""


class NoWorkers(SensecheckError):
    """The workers of a large run cannot be started, or do not stay; what they have done is kept."""


class CacheError(SensecheckError):
    """A cache on disk cannot be used: that of vectors, or that of a judge's replies."""


class ExpectationFailed(SensecheckError, AssertionError):
    """An answer is not what a test expects of it."""


class UndeclaredNeed(SensecheckError):
    """A measure read something that it had not asked for: a bug in the measure."""


class CannotJudge(SensecheckError):
    """No judgement can be made; a check turns this into the outcome `error`."""


class MissingInput(CannotJudge):
    """The sample lacks what the measure reads."""


class Unreadable(CannotJudge):
    """A text could not be placed, or a question was not answered."""


class StaleCutoff(CannotJudge):
    """The cutoff was fitted for another encoder than the one in use."""
