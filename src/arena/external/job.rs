//! On Windows an engine and all that it starts are in a job object, which ends them together: when we say so, or with us,
//! however we end, since the system then closes the only handle of the job.

use std::{
    io,
    os::windows::{io::AsRawHandle, process::CommandExt},
    process::{Child, Command},
};

use win32job::{ExtendedLimitInfo, Job, JobError};

/// With a console of its own that nobody sees (Windows' CreateProcess), so that Ctrl-C in ours is none for the engine.
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// Starts an engine, in a job that ends all its processes when it is dropped. Without one, and with a warning, it ends
/// with us as far as it notices the end of its input.
///
/// # Errors
/// When it cannot be started.
pub(super) fn start(command: &mut Command) -> io::Result<(Child, Option<Job>)> {
    let child = command.creation_flags(CREATE_NO_WINDOW).spawn()?;
    // The system still loads the program: it has not started anything yet.
    let job = job_of(&child).inspect_err(|error| tracing::warn!("an engine may outlive a kill: {error}"));
    Ok((child, job.ok()))
}

fn job_of(child: &Child) -> Result<Job, JobError> {
    let job = Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close())?;
    job.assign_process(child.as_raw_handle() as isize)?;
    Ok(job)
}
