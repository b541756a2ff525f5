// What tests/windows/run does by Windows' own calls. The rest of the command line, from PROGRAM on, is started as it is:
//
//   helper start PROGRAM...              in a console of its own that nobody sees; its exit code
//   helper event N FILE PROGRAM...       the same, and delivers console event N once FILE is there
//   helper hold FILE SECONDS             holds FILE open, so that nobody else can open, rename or remove it
//   helper leave MARK PROGRAM...         first starts `helper sleep MARK`, which does not end by itself
//   helper sleep MARK                    sleeps for ten minutes
//
// Event 0 is Ctrl-C. wine 8 sends no others, so 1 (Ctrl-Break), 2 (a console that closes), 5 (a log-off) and 6 (a
// shutdown) are delivered as Windows does it, by a new thread of the process in the system's CtrlRoutine.

#include <stdio.h>
#include <wchar.h>
#include <windows.h>

enum { LONGEST = 8192, PATIENCE_MS = 120000 };

static int fail(const char *what) {
    fprintf(stderr, "helper: %s: error %lu\n", what, GetLastError());
    ExitProcess(99);
}

// The command line behind its first `words` words.
static wchar_t *rest(int words) {
    wchar_t *place = GetCommandLineW();
    for (; words > 0; words--) {
        for (int quoted = 0; *place && (quoted || *place != L' '); place++) {
            if (*place == L'"') quoted = !quoted;
        }
        while (*place == L' ') place++;
    }
    return place;
}

// Starts a command, with our input and output if it is to inherit them.
static PROCESS_INFORMATION begin(const wchar_t *command, DWORD flags, BOOL inherit) {
    static wchar_t copy[LONGEST];
    wcsncpy(copy, command, LONGEST - 1);
    STARTUPINFOW how = {.cb = sizeof how};
    PROCESS_INFORMATION process = {0};
    if (inherit) {
        // A console of its own would otherwise be its input and output.
        how.dwFlags = STARTF_USESTDHANDLES;
        how.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
        how.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
        how.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    }
    if (!CreateProcessW(NULL, copy, NULL, NULL, inherit, flags, NULL, NULL, &how, &process)) fail("cannot start");
    return process;
}

static int end(PROCESS_INFORMATION process) {
    DWORD code = 99;
    if (WaitForSingleObject(process.hProcess, PATIENCE_MS) != WAIT_OBJECT_0) fail("it does not end");
    GetExitCodeProcess(process.hProcess, &code);
    return (int)code;
}

static void await(const wchar_t *file) {
    for (int tries = 0; GetFileAttributesW(file) == INVALID_FILE_ATTRIBUTES; tries++) {
        if (tries > 6000) fail("the file does not come");
        Sleep(10);
    }
}

static BOOL WINAPI ignore(DWORD event) {
    return event <= CTRL_BREAK_EVENT;
}

// Delivers an event to a process in our console.
static void deliver(DWORD event, HANDLE process) {
    if (event == CTRL_C_EVENT) {
        if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) fail("cannot press Ctrl-C");
        return;
    }
    FARPROC routine = GetProcAddress(GetModuleHandleA("kernelbase"), "CtrlRoutine");
    if (!routine) fail("there is no CtrlRoutine");
    void *argument = (void *)(INT_PTR)event;
    if (!CreateRemoteThread(process, NULL, 0, (LPTHREAD_START_ROUTINE)(void *)routine, argument, 0, NULL)) {
        fail("cannot deliver the event");
    }
}

int wmain(int words, wchar_t **word) {
    wchar_t itself[MAX_PATH], command[LONGEST];
    const wchar_t *mode = words > 2 ? word[1] : L"";
    GetModuleFileNameW(NULL, itself, MAX_PATH);
    if (!wcscmp(mode, L"start")) return end(begin(rest(2), CREATE_NO_WINDOW, TRUE));
    if (!wcscmp(mode, L"event") && words > 4) {
        // An own console first, which the program then shares.
        swprintf(command, LONGEST, L"\"%ls\" there %ls", itself, rest(2));
        return end(begin(command, CREATE_NO_WINDOW, TRUE));
    }
    if (!wcscmp(mode, L"there") && words > 4) {
        SetConsoleCtrlHandler(ignore, TRUE);
        PROCESS_INFORMATION process = begin(rest(4), 0, TRUE);
        await(word[3]);
        deliver(_wtoi(word[2]), process.hProcess);
        return end(process);
    }
    if (!wcscmp(mode, L"hold") && words == 4) {
        HANDLE file = CreateFileW(word[2], GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
        if (file == INVALID_HANDLE_VALUE) fail("cannot hold the file");
        puts("held");
        fflush(stdout);
        Sleep(1000 * _wtoi(word[3]));
        return 0;
    }
    if (!wcscmp(mode, L"leave") && words > 3) {
        swprintf(command, LONGEST, L"\"%ls\" sleep %ls", itself, word[2]);
        begin(command, CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP, FALSE);
        return end(begin(rest(3), 0, TRUE));
    }
    if (!wcscmp(mode, L"sleep")) {
        Sleep(600000);
        return 0;
    }
    return fail("unknown mode");
}
